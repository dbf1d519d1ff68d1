cp "$(dirname "$0")"/../networks/*.net .
$afterstate solve 2x3 --out table --quiet >/dev/null
"$afterstate" exact --quiet table --net lying.net
"$afterstate" net convert lying.net ave.net --play ave >/dev/null
"$afterstate" exact table --net ave.net --json
"$afterstate" exact --quiet table --net images.net
