# Killed with a line half written, then resumed: the same games as without the interruption.
cp "$(dirname "$0")"/../networks/*.net .
run() { "$afterstate" eval --net split.net --games "$1" --depth 2 --csv "$2" --quiet | sed -E 's/; now.*//; s/(time per move:).*/\1 N/'; }
run 80 whole.csv
run 30 part.csv >/dev/null
printf '77,1,3' >>part.csv
run 80 part.csv
cmp <(cut -d, -f1-5 whole.csv | sort) <(cut -d, -f1-5 part.csv | sort) && echo "the same games"
run 80 part.csv | head -n 1
