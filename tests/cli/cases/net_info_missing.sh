"$afterstate" net info nothing.net
