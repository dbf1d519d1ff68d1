cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net export one.net weights.npz | grep -v ^file
"$afterstate" net import weights.npz back.net --like one.net | grep -v ^file
"$afterstate" net import weights.npz again.net --like one.net --json | grep -v file_bytes
"$afterstate" net info back.net | grep -v ^file
"$afterstate" hint 1201 --net back.net --depth 2 >a; "$afterstate" hint 1201 --net one.net --depth 2 >b
diff <(head -n 4 a) <(head -n 4 b) && head -n 4 a
