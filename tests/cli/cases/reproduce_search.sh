groups=$(dirname "$0")/../groups
cp "$(dirname "$0")"/../networks/bits.net .
mask() { sed -E 's/, [0-9.]+ [mu]?s a move//; s/about .* for/about TIME for/'; }
"$afterstate" reproduce "$groups"/tiny-search.ini --out here --net bits.net --games 5 --quiet | mask
# A budget limits the games of each row, and a row of which not one fits is left out; the same again has nothing to do.
"$afterstate" reproduce "$groups"/tiny-search.ini --out short --net bits.net --budget 0.001ms 2>&1 | mask
"$afterstate" reproduce "$groups"/tiny-search.ini --out short --net bits.net --budget 0.001ms 2>&1 | mask | tail -n 2
"$afterstate" reproduce "$groups"/tiny-search.ini --out long --net bits.net --budget 10m --games 2 2>/dev/null | mask | tail -n 2
grep games long/plan.ini
