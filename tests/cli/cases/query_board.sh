$afterstate solve 2x3 --out table --quiet >/dev/null
$afterstate query table "2 4 0 / 8 0 2"
