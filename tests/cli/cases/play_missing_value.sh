"$afterstate" play --games
