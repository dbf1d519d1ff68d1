"$afterstate" plot --help
