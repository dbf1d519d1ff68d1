"$afterstate" eval --board 2x2 --until 64
