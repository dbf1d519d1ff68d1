"$afterstate" reproduce terauchi-4 --budget 1h --actions 1e6
