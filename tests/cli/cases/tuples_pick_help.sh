"$afterstate" tuples pick --help
