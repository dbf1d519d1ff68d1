"$afterstate" hint 1 2
