"$afterstate" tuples campaign --cells 3
