$afterstate solve 2x3 --out table --quiet >/dev/null
$afterstate query table 120301 --json
