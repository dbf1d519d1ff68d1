"$afterstate" solve 4x3 --out table --to-age 34 --quiet >/dev/null
"$afterstate" solve 4x3 --out table --from-age 24 --to-age 40 # what is there: nothing is counted
"$afterstate" solve 4x3 --out table --to-age 40 --quiet >/dev/null
"$afterstate" solve 4x3 --out table --from-age 38
"$afterstate" solve 4x3 --out table --from-age 34 --to-age 36 --json
