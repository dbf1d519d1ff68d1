# A phase alone: starts from a bank, success counted; the same on any number of threads, at 1 ply and at 2.
mask() { sed -E 's/now .*/now N/; s/(time per move:).*/\1 N/; s/("seconds"|"moves_per_second"|"move_ms_mean"|"move_ms_p99"):.*[0-9]/\1: N/'; }
cat >bank.txt <<'END'
# made by hand
8765000000210000
256 128 64 32 / 0 0 0 0 / 0 0 2 0 / 0 0 0 2   # the same tiles as numbers
9000000000000011
END
"$afterstate" eval --from bank.txt --until 512 --games 40 --threads 1 --quiet | mask
"$afterstate" eval --from bank.txt --until 512 --threads 2 --depth 2 --json | mask
for threads in 1 2; do
    "$afterstate" eval --from bank.txt --until 512 --games 60 --threads $threads --csv $threads.csv >/dev/null
    sed 1,2d $threads.csv | cut -d, -f1-5,7-8 | sort >$threads.games
done
diff 1.games 2.games && echo "the same games"
sed -E '1s/checksum.*/C/; 2q' 1.csv | sed -E 's/ (simple )?player=.*//'
"$afterstate" eval --from bank.txt --games 3 --quiet | mask # to the end
