"$afterstate" --help >/dev/full
