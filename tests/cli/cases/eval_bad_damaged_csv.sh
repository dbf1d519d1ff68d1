"$afterstate" eval --board 2x2 --games 3 --csv games.csv >/dev/null
sed -i '4s/,/;/' games.csv
"$afterstate" eval --board 2x2 --games 3 --csv games.csv
