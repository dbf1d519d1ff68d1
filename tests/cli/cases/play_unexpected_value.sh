"$afterstate" play --quiet=yes
