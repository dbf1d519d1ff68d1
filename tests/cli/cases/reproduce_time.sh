# The time of a move is a measure too, from the games that the others count.
cp "$(dirname "$0")"/../groups/tiny-a.ini .
printf '[group]\ntitle = T\nrecipes = .\ncurve_games = 5\nmeasure = 1-ply, 30 games
measure = microseconds at 1-ply, 30 games\nrow = one | tiny-a.ini | |\n' >time.ini
"$afterstate" reproduce ./time.ini --out here --actions 2000 --threads 1 --quiet |
    grep microseconds | sed -E "s/ 0\.0+ / ZERO /; s/ [0-9.]+ +30 games, 1 seed.*/ N 30 games, 1 seed/"
ls here/one-s1 | grep games
