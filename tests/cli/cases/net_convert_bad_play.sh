cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net convert one.net out.net --play ave
