"$afterstate" tuples merge --help
