$afterstate solve 2x2 --out normal --quiet >/dev/null
$afterstate solve 2x2 --out worst --variant pessimistic --quiet >/dev/null
printf '%s\r\n' 1120 7777 1221 | $afterstate query normal --pessimistic worst --json
printf '%s\n' 1120 1221 | $afterstate query normal --pessimistic worst
