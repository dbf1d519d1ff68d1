"$afterstate" solve 4x4 --out table
