$afterstate solve 2x2 --out table --store moves --quiet >/dev/null
$afterstate exact --quiet table --policy random
