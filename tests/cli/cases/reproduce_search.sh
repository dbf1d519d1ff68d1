groups=$(dirname "$0")/../groups
cp "$(dirname "$0")"/../networks/bits.net .
"$afterstate" reproduce "$groups"/tiny-search.ini --out here --net bits.net --games 5 --quiet | sed -E 's/, [0-9.]+ [mu]?s a move//'
