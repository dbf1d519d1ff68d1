cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net convert bits.net out.net --stages '0 32768'
