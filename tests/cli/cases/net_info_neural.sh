cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net info lying.net
"$afterstate" net info images.net
