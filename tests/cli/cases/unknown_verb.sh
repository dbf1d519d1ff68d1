"$afterstate" plya
