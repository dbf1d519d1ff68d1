$afterstate solve 2x2 --out table --quiet >/dev/null
$afterstate solve --dump table --age 7 --out arrays
