"$afterstate" reproduce --list
