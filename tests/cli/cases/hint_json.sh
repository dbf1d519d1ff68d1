cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" hint 123000000 --net split.net --depth 2 --json | sed -E 's/("ms":).*/\1 N/; s/([0-9])\.[0-9]+/\1/'
