"$afterstate" eval some.net
