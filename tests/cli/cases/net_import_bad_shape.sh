cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net export lying.net weights.npz >/dev/null
"$afterstate" net import weights.npz out.net --model "2x2 4 fc 6" --board 2x3
