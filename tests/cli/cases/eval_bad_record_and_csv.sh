"$afterstate" eval --board 2x2 --games 3 --csv games.csv --record games.rec >/dev/null
"$afterstate" play --replay games.rec --game 2 | tail -n 1
"$afterstate" eval --board 2x2 --games 3 --csv games.csv --record games.rec
