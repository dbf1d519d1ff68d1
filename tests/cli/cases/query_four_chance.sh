$afterstate solve 2x3 --out table --four-chance 0.25 --quiet >/dev/null
$afterstate query table 120301
$afterstate query table 120301 --json
# Where every new tile is a 4, no board has a 2.
$afterstate solve 2x3 --out fours --four-chance 1 --quiet >/dev/null
$afterstate query fours 220000
$afterstate query fours 120000
