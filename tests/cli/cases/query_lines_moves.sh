$afterstate solve 2x3 --out table --store moves --quiet >/dev/null
printf '%s\n' 120301 777777 121212 000000 | $afterstate query table
printf '%s\n' 120301 121212 | $afterstate query table --json
