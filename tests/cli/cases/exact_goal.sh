# The chance that a player makes a tile, and what it gives away of it.
cp "$(dirname "$0")"/../networks/redundant.net .
$afterstate solve 2x3 --out table --objective tile:64 --bits 24 --quiet >/dev/null
$afterstate exact --quiet table --policy random --csv ages.csv
head -3 ages.csv
$afterstate exact --quiet table --net redundant.net
$afterstate exact table --policy optimal --json
