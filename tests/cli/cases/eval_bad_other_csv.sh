"$afterstate" eval --board 2x2 --games 2 --csv games.csv >/dev/null
"$afterstate" eval --board 2x2 --games 2 --depth 2 --csv games.csv
