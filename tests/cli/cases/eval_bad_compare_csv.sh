cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" eval --compare split.net split.net --csv a.csv
