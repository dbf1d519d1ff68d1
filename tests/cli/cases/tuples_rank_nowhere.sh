"$afterstate" tuples rank nowhere
