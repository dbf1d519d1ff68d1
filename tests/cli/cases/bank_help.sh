"$afterstate" bank --help
