cp "$(dirname "$0")"/../networks/*.net .
for depth in 1 2; do
    for threads in 1 2 3; do
        "$afterstate" eval --net split.net --games 60 --depth $depth --threads $threads --csv $depth-$threads.csv --quiet |
            grep score
        cut -d, -f1-5 $depth-$threads.csv | sort >$depth-$threads.games
    done
    cmp $depth-1.games $depth-2.games
    cmp $depth-1.games $depth-3.games
done
