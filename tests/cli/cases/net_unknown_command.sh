"$afterstate" net ifno some.net
