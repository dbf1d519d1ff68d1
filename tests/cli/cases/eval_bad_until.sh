"$afterstate" eval --until 768
