"$afterstate" bank block --tile 128
