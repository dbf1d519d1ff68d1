cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net export lying.net weights.npz >/dev/null
"$afterstate" net import weights.npz back.net --like one.net
