"$afterstate" reproduce --list --json | grep -c '"name"'
