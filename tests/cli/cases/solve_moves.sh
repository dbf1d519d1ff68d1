"$afterstate" solve 2x2 --out table --store moves --checkpoint-every 3 --quiet >/dev/null
ls table
"$afterstate" solve --verify table
