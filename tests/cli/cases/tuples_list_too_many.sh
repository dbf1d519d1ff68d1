"$afterstate" tuples list --cells 5 --board 2x2
