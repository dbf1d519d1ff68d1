"$afterstate" tuples campaign --board 3x3 --cells 4 --per-network 2 --experiments 4 --games 5 --out few --quiet >/dev/null 2>&1
"$afterstate" tuples rank few --minimum-norm | head -3
"$afterstate" tuples rank few
