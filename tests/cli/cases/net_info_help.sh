"$afterstate" net info --help
