"$afterstate" solve 2x2 --out table --threads 1 | sed -E "s/[0-9.]+ [mu]?s \(.* states/TIME (RATE states/"
ls table
