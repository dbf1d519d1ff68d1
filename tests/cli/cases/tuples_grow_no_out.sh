"$afterstate" tuples grow --cells 3
