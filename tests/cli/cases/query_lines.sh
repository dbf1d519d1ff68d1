$afterstate solve 2x3 --out table --quiet >/dev/null
printf '%s\n' 120301 "2 4 0 / 8 0 2" 12 777777 121212 "" | $afterstate query table -
