"$afterstate" hint --help
