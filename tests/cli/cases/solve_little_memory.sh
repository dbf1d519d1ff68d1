"$afterstate" solve 3x3 --out table --memory 0.001 2>&1 | sed -E "s/[0-9]+\.[0-9]+ GB/N GB/"
