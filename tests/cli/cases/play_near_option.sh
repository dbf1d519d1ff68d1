"$afterstate" play --gmaes 3
