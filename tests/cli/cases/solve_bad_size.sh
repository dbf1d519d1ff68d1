"$afterstate" solve 7x2 --out table
