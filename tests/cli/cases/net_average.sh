cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net average bits.net bits.net bits.net out.net --quiet
"$afterstate" net info out.net | sed -n '/notes/,/^ /p'
"$afterstate" net average bits.net bits.net same.net --json
"$afterstate" net average bits.net one.net other.net --quiet
code=$?
ls other.net 2>/dev/null
exit $code
