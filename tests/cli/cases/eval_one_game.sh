# The interval of one game is unknown.
"$afterstate" eval --board 2x3 --games 1 --quiet | grep score:
"$afterstate" eval --board 2x3 --games 1 --json | grep ci95
