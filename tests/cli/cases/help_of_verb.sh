"$afterstate" help play | cmp - <("$afterstate" play --help)
