cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net fold images.net out.net
