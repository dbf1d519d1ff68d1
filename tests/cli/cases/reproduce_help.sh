"$afterstate" reproduce --help
