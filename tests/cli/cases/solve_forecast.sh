"$afterstate" solve 4x3 --out table --threads 1 --store none --checkpoint-every 64 --to-age 400 --memory 0.1
