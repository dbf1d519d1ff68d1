"$afterstate" solve 4x3 --out table --from-age 4 --to-age 40
