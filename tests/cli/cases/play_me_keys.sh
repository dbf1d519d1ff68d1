# Keys from a pipe: an illegal move, moves, a hint, undo, an unknown key.
printf 'dwh\nuuxsq' | "$afterstate" play --me --board 3x3 --seed 2 --record me.rec | sed -E 's/ in [0-9].*//'
"$afterstate" play --replay me.rec --moves
