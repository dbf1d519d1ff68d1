"$afterstate" bank block --tile 100
