"$afterstate" eval --depth 99
