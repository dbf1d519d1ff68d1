"$afterstate" tuples grow --help
