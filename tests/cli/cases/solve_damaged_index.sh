"$afterstate" solve 2x2 --out table --quiet >/dev/null
printf x | dd of=table/index.table bs=1 seek=100 conv=notrunc 2>/dev/null
"$afterstate" solve 2x2 --out table || echo "exit $?"
"$afterstate" solve 2x2 --out table --from-age 4 || echo "exit $?"
"$afterstate" query table 1200 || echo "exit $?"
"$afterstate" exact table --policy random || echo "exit $?"
