"$afterstate" help plya
