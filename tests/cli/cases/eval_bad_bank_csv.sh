# A log of games from other starts is refused.
echo 1200000000000000 >a.txt
echo 1200000000000001 >b.txt
"$afterstate" eval --from a.txt --until 16 --csv games.csv >/dev/null
"$afterstate" eval --from b.txt --until 16 --csv games.csv
