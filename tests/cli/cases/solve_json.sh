"$afterstate" solve 2x3 --out table --variant pessimistic --json | sed -E "s/(seconds\":[[:space:]]*|per_second\":[[:space:]]*)[0-9.e+-]+/\1NUMBER/"
