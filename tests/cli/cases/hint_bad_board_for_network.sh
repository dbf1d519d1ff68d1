cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" hint 1230000000000010 --net split.net
