"$afterstate" tuples rank --help
