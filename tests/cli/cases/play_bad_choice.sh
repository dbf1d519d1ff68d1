"$afterstate" play --player simpel
