"$afterstate" tuples --help
