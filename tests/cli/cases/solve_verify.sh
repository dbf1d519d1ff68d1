"$afterstate" solve 2x3 --out table --quiet >/dev/null
"$afterstate" solve --verify table --samples 1000
"$afterstate" solve --verify table --samples 1000 --json
head -c 3000 table/values-00250.table >cut
mv cut table/values-00250.table
"$afterstate" solve --verify table
