"$afterstate" serve --port 0 --host 999.1.2.3 --open 2>&1 | sed 's/: [A-Z][a-z].*/: (the resolver'"'"'s words)/'
exit "${PIPESTATUS[0]}"
