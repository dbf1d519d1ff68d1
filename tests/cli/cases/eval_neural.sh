cp "$(dirname "$0")"/../networks/*.net .
mask() { sed -E 's/now .*/now TIME, RATE/; s/(time per move:).*/\1 N/'; }
"$afterstate" eval --net images.net --games 50 --quiet | mask
"$afterstate" eval --net images.net --games 50 --quiet --threads 1 | mask | cksum
"$afterstate" eval --net images.net --games 50 --quiet --threads 3 | mask | cksum
"$afterstate" eval --compare lying.net one.net --games 2 --quiet
