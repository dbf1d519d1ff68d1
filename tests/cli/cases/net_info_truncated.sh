cp "$(dirname "$0")"/../networks/*.net .
head -c 1000 redundant.net >cut.net
"$afterstate" net info cut.net
