$afterstate exact --help
