"$afterstate" eval --help
