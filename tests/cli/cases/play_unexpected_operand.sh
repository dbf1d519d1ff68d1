"$afterstate" play chess
