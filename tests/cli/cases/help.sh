"$afterstate" --help
