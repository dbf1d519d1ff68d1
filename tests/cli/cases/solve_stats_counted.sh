$afterstate solve 2x3 --out table --to-age 60 --quiet >/dev/null
$afterstate solve --stats table --out figures
ls figures
head -4 figures/ages.csv
$afterstate solve 2x3 --out thrifty --store none --checkpoint-every 10 --to-age 60 --quiet >/dev/null
$afterstate solve --stats thrifty --out counts
head -4 counts/ages.csv
