"$afterstate" tuples campaign --budget 5m --games 10 --out x
