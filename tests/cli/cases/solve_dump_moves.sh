$afterstate solve 2x2 --out table --store moves --quiet >/dev/null
$afterstate solve --dump table --age 8 --out arrays
