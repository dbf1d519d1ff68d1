"$afterstate" tuples campaign --shard 3 --out x
