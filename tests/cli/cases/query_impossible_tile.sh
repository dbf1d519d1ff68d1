$afterstate solve 2x3 --out table --quiet >/dev/null
$afterstate query table "2 4 8 / 256 0 2"
