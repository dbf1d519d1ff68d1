# Stopped and resumed: what is finished stays. Another folder's table of other rules is not touched.
exec 2>&1
"$afterstate" endgame build --out tables --threads 1 --quiet &
for _ in $(seq 1200); do
    [ ! -e tables/block-512/index.table ] || break
    sleep 0.05
done
kill -TERM $!
wait $!
echo "exit $?"
"$afterstate" endgame info tables | sed -E 's/tile:512, .*/tile:512/'
"$afterstate" solve 4x4 --walls rows8 --target 32 --out other/block-512 --threads 1 --quiet >/dev/null
"$afterstate" endgame build --out other --threads 1 --quiet || echo "exit $?"
