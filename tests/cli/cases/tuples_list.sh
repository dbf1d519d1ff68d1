"$afterstate" tuples list --cells 3 --board 2x3
"$afterstate" tuples list --cells 4 --board 3x3 --connected --draw
for cells in 3 4 5 6 7 8 9 10 11 12 13; do
    echo "$cells $("$afterstate" tuples list --cells $cells | wc -l) $("$afterstate" tuples list --cells $cells --connected | wc -l)"
done
