"$afterstate" solve 3x3 --out table --threads 1 --memory 0.001
ls table 2>/dev/null
"$afterstate" solve 3x3 --out table --threads 1 --memory 0.001 --force 2>&1 | sed -E "s/about [0-9.]+ [kM]B/about N MB/"
