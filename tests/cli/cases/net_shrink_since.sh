cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net shrink bits.net out.net --since bits.net --quiet | grep dropped
"$afterstate" net info out.net | sed -n '/touched/,/trained/p; /notes/,/^ /p'
"$afterstate" net shrink bits.net other.net --since one.net --quiet
code=$?
ls other.net 2>/dev/null
exit $code
