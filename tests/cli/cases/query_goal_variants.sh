$afterstate solve 2x2 --out normal --objective tile:16 --bits 24 --quiet >/dev/null
$afterstate solve 2x2 --out worst --objective tile:16 --bits 24 --variant pessimistic --quiet >/dev/null
$afterstate query normal 1210 --pessimistic worst
