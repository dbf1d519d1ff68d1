$afterstate solve 2x3 --out table --four-chance 0.25 --quiet >/dev/null
$afterstate solve 2x3 --out moves --four-chance 0.25 --store moves --quiet >/dev/null
$afterstate exact --quiet table --policy greedy-score
$afterstate exact --quiet table --moves moves
