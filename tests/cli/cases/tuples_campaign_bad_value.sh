"$afterstate" tuples campaign --cells ten --out x
