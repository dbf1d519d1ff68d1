"$afterstate" serve --port 0 --table nowhere
