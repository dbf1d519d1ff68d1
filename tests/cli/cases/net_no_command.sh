"$afterstate" net
