$afterstate solve 3x3 --out table --to-age 20 --quiet >/dev/null
$afterstate solve --dump table --age 20 --out arrays
