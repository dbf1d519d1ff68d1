$afterstate solve 2x2 --out table --quiet >/dev/null
$afterstate solve 2x3 --out moves --store moves --quiet >/dev/null
$afterstate exact --quiet table --moves moves
