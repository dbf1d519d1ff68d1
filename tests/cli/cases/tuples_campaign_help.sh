"$afterstate" tuples campaign --help
