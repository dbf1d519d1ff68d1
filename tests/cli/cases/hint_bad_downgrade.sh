"$afterstate" hint 123000000 --downgrade 3000
