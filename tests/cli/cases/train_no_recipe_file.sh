"$afterstate" train missing.ini --out run
