# One game where the output is no terminal: one line.
"$afterstate" play --board 2x2 --seed 1 | sed -E 's/ in [0-9].*//'
"$afterstate" play --board 2x2 --seed 1 --moves --record game.rec | sed -E 's/ in [0-9].*//'
"$afterstate" play --replay game.rec
"$afterstate" play --replay game.rec --moves --step <<<$'\n\n\nq'
