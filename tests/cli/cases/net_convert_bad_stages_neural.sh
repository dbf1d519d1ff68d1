cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net convert images.net out.net --stages "0 8"
