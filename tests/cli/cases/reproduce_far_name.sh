"$afterstate" reproduce chess
