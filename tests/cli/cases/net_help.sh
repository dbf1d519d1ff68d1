"$afterstate" net --help
