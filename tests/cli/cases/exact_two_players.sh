$afterstate solve 2x2 --out table --quiet >/dev/null
$afterstate exact --quiet table --policy random --moves table
