"$afterstate" solve 2x2 --out table --to-age 10 --quiet >/dev/null
"$afterstate" solve 2x2 --out table --bits 8
