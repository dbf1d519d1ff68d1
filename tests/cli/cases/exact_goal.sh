# The chance that a player makes a tile, and what it gives away of it.
cp "$(dirname "$0")"/../networks/redundant.net .
$afterstate solve 2x3 --out table --objective tile:64 --bits 24 --quiet >/dev/null
$afterstate exact table --policy random --csv ages.csv
head -3 ages.csv
$afterstate exact table --net redundant.net
$afterstate exact table --policy optimal --json
