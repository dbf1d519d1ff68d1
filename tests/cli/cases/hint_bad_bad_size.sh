"$afterstate" hint 123 --board 9x9
