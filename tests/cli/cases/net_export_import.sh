cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net export lying.net weights.npz
"$afterstate" net import weights.npz back.net --like lying.net | grep -v ^file
"$afterstate" net info back.net | grep -v ^file
"$afterstate" net import weights.npz fresh.net --model "2x2 4 fc 5" --board 2x3 --play max --scale 0.5 --json | grep -v file_bytes
"$afterstate" hint 120012 --net back.net --depth 2 >a; "$afterstate" hint 120012 --net lying.net --depth 2 >b
diff <(head -n 4 a) <(head -n 4 b) && head -n 4 a
