$afterstate solve 2x2 --out table --quiet >/dev/null
$afterstate exact table --policy greedy-score --json
