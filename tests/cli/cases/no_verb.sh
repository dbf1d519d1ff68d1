"$afterstate" | cmp - <("$afterstate" --help)
