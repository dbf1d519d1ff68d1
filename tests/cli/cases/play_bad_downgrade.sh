"$afterstate" play --downgrade 1024
