"$afterstate" bank roow
