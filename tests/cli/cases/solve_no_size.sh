"$afterstate" solve --out table
