cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" eval --net split.net --games 50 --depth 2 --threads 2 --json |
    sed -E 's/("seconds"|"moves_per_second"|"move_ms_mean"|"move_ms_p99"):.*[0-9]/\1: N/'
