"$afterstate" hint 000000000
