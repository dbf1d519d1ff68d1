cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net shrink bits.net out.net --step 8 --visits 1 --games 3 --quiet | grep -v -e ^file -e ^bytes
"$afterstate" net info out.net | sed -n 's/^file.*weights as/weights as/p; /touched/p; /notes/,/^ /p'
"$afterstate" eval --net out.net --games 2 --seed 1 --json | grep '"mean"'
