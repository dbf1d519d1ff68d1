# A player has the same names in every verb.
"$afterstate" eval --player random --games 2 --seed 1 --json | grep '"player"\|"mean"'
"$afterstate" eval --player simple --games 2 --json | grep '"player"'
"$afterstate" play --player random --games 2 --seed 1 --json | grep '"player"'
"$afterstate" eval --compare random simple --games 2 | grep -v 'time per move\|reached' | sed 's/; now .*//'
"$afterstate" eval --compare --board 2x2 random simple --games 2 --json | grep '"board"\|"player"'
"$afterstate" solve 2x2 --out table --quiet >/dev/null
for player in random simple greedy-score optimal; do
    "$afterstate" exact table --player $player | grep -E '^(player|score)'
done
"$afterstate" exact table --player bundled || echo "exit $?"
"$afterstate" hint --player random 1230000000000010 || echo "exit $?"
"$afterstate" serve --player random --port 0 || echo "exit $?"
"$afterstate" reproduce jaskowski-5 --player random || echo "exit $?"
"$afterstate" eval --player bundeld || echo "exit $?"
"$afterstate" eval --player chess || echo "exit $?"
"$afterstate" eval --player chess.net || echo "exit $?"
"$afterstate" eval --player simple --net simple || echo "exit $?"
