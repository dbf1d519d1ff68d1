groups=$(dirname "$0")/../groups
"$afterstate" reproduce "$groups"/tiny-solve.ini --out here --quiet | sed -E 's/ +[0-9.]+ m?s$//'
"$afterstate" reproduce "$groups"/tiny.ini --out here --actions 5
"$afterstate" reproduce "$groups"/tiny-solve.ini --out here --budget 3h
