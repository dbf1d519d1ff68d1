$afterstate solve 2x3 --out table --store moves --quiet >/dev/null
$afterstate query table 120301
$afterstate query table 120301 --json
