cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net average images.net images.net out.net
