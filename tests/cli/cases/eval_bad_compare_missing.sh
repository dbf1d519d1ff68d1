cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" eval --compare split.net nowhere.net --games 10
