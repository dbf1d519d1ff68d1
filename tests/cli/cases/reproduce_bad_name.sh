"$afterstate" reproduce mastr-2
