"$afterstate" help | cmp - <("$afterstate" --help)
