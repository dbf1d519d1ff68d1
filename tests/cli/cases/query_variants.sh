$afterstate solve 2x2 --out normal --quiet >/dev/null
$afterstate solve 2x2 --out best --variant optimistic --quiet >/dev/null
$afterstate solve 2x2 --out worst --variant pessimistic --quiet >/dev/null
$afterstate query normal 1120 --optimistic best --pessimistic worst
$afterstate query normal 1120 --optimistic best --pessimistic worst --json
