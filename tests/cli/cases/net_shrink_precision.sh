cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net shrink bits.net out.net --precision 16bits
