"$afterstate" bench --seconds soon
