cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net shrink bits.net out.net --keep bits.net --quiet
code=$?
ls out.net 2>/dev/null
exit $code
