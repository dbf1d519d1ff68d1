"$afterstate" --verison
