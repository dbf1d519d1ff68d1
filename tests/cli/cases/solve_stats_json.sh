$afterstate solve 2x2 --out table --quiet >/dev/null
$afterstate solve --stats table --out figures --json
