"$afterstate" solve 2x2 --out table --quiet >/dev/null
"$afterstate" solve 3x3 --out table --from-age 4
