"$afterstate" solve 4x3 --out table --to-age 30 --quiet >/dev/null
"$afterstate" solve 4x3 --out table --to-age 40 --from-age 24
