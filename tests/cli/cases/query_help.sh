$afterstate query --help
