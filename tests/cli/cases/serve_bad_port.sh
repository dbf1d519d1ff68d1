"$afterstate" serve --port 70000
