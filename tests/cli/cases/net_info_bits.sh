cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net info bits.net | grep stage
