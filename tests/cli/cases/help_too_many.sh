"$afterstate" help play bench
