$afterstate solve 2x3 --out table --quiet >/dev/null
$afterstate exact --quiet table --policy random --csv ages.csv
head -4 ages.csv
