$afterstate solve 2x2 --out table --objective tile:16 --quiet >/dev/null
$afterstate solve 2x2 --out moves --store moves --quiet >/dev/null
$afterstate exact --quiet table --moves moves
