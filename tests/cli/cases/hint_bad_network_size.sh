cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" hint 123000000 --board 3x3 --net one.net
