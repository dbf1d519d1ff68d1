cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net convert one.net out.net --stages '0 3'
