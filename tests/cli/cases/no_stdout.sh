"$afterstate" --help >&-
