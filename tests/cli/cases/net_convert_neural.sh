cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net convert lying.net out.net --play ave | grep -v ^file
"$afterstate" net info out.net | grep -E "^play|^notes|changed"
