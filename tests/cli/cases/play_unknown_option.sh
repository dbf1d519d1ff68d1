"$afterstate" play --xylophone
