cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net convert one.net out.net --stages '0 8' --promote yes --values 6 | grep -v ^file
"$afterstate" net info out.net | grep -v ^file
