"$afterstate" train
