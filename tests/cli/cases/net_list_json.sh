"$afterstate" net list --json | grep -c "\"drawing\""
