"$afterstate" --version >/dev/full
