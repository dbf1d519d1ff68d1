"$afterstate" hint 123000000 --depth 99
