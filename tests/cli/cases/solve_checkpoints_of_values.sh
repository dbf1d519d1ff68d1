"$afterstate" solve 2x2 --out table --checkpoint-every 5
