"$afterstate" hint 12345
