"$afterstate" serve --port 0 --runs nowhere
