$afterstate solve 2x3 --out table --quiet >/dev/null
$afterstate solve --stats table --out figures
ls figures
head -3 figures/ages.csv
