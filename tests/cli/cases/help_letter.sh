"$afterstate" -h | head -n 1
