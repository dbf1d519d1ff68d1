cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net info split.net
