$afterstate solve 2x2 --out table --age 8
