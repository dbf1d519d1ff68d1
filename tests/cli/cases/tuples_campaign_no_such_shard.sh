"$afterstate" tuples campaign --shard 3/2 --out x
