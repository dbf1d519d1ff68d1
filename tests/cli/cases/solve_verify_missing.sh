"$afterstate" solve --verify nowhere
