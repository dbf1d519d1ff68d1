# A refused job leaves nothing that blocks the next one in the same directory.
"$afterstate" tuples grow --cells 8 --tuples 2 --games 10 --out here
"$afterstate" tuples grow --cells 4 --board 3x3 --tuples 1 --games 10 --out here --quiet | grep -c tuple
