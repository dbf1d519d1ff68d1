"$afterstate" net list
