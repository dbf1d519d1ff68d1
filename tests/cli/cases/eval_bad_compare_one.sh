"$afterstate" eval --compare a.net
