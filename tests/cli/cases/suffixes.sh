# 1k, 1e3, 1s and 500ms wherever a number or a time is.
"$afterstate" eval --player simple --board 2x2 --games 1k --json | grep '"games"'
"$afterstate" play --player simple --board 2x2 --games 1e1 --delay 500ms --json | grep '"games"'
"$afterstate" play --delay 61s || echo "exit $?"
"$afterstate" bank rows --boards 0.002k | grep -vc '#'
"$afterstate" train tiny-3x3 --dry-run --set train.actions=1k --set train.checkpoint=1h30m --set eval.every=0.5k | grep -E 'actions =|checkpoint|every =|^run'
"$afterstate" reproduce terauchi-4 --budget soon || echo "exit $?"
