"$afterstate" bench --help
