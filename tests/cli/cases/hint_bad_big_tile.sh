"$afterstate" hint b00000000
