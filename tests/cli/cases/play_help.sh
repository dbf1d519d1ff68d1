"$afterstate" play --help
