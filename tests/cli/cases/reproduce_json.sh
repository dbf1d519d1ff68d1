"$afterstate" reproduce "$(dirname "$0")"/../groups/tiny-solve.ini --json | sed -E 's/("seconds":).*/\1 N,/' | head -n 24
