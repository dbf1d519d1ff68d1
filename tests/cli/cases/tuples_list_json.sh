"$afterstate" tuples list --cells 2 --board 2x2 --json
