"$afterstate" play --games 0
