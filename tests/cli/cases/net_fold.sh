cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net fold redundant.net out.net | grep -v ^file
"$afterstate" net info out.net | grep -v ^file
