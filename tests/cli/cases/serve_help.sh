"$afterstate" serve --help
