cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" eval --compare split.net one.net
