"$afterstate" reproduce
