cp "$(dirname "$0")"/../networks/redundant.net .
$afterstate solve 2x3 --out table --quiet >/dev/null
$afterstate exact table --net redundant.net --json --threads 2
