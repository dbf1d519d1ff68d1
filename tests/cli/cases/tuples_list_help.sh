"$afterstate" tuples list --help
