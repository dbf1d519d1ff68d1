"$afterstate" tuples lst
