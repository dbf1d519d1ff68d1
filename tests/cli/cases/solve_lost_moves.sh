"$afterstate" solve 2x2 --out table --store moves --quiet >/dev/null
cp -r table damaged
rm damaged/moves-00060.table
"$afterstate" solve 2x2 --out damaged --store moves --quiet | grep "expected score"
diff -r table damaged && echo "as before"
