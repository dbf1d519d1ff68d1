# The boards where a tile was made are a bank; those of a log are collected too.
mask() { sed -E 's/now .*/now N/; s/(time per move:).*/\1 N/'; }
"$afterstate" eval --until 256 --games 30 --csv games.csv --quiet --collect first.txt | mask
head -n 3 first.txt
"$afterstate" eval --until 256 --games 30 --csv games.csv --quiet --collect again.txt >/dev/null
cmp first.txt again.txt && echo "the same from the log"
cut -d, -f7,8 games.csv | grep -c '^1,'
"$afterstate" eval --from first.txt --until 512 --quiet | head -n 2 | mask
