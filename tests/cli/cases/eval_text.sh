cp "$(dirname "$0")"/../networks/*.net .
mask() { sed -E 's/now .*/now TIME, RATE/; s/(time per move:).*/\1 N/'; }
"$afterstate" eval --net split.net --games 50 --quiet | mask
"$afterstate" eval --games 3 --depth 2 --seed 4 --quiet | mask # tiles of 4x4 are shown to 65536
