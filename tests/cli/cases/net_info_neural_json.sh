cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net info images.net --json
