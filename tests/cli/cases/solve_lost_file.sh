"$afterstate" solve 2x3 --out table --quiet >/dev/null
cp -r table damaged
rm damaged/sets-00004.table
printf x | dd of=damaged/values-00250.table bs=1 seek=5000 conv=notrunc 2>/dev/null
"$afterstate" solve 2x3 --out damaged --quiet | grep "expected score"
diff -r table damaged && echo "as before"
