cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net export one.net out.npz
