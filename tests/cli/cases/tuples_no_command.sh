"$afterstate" tuples
