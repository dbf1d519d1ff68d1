"$afterstate" solve --help
