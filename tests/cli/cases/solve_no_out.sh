"$afterstate" solve 2x2
