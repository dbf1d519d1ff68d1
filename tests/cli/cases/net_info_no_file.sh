"$afterstate" net info
