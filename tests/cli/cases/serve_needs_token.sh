# Letting other machines in is never an accident.
"$afterstate" serve --host 0.0.0.0 --port 0 || echo "exit $?"
"$afterstate" serve --host :: --port 0 --token short || echo "exit $?"
"$afterstate" serve --host 0.0.0.0 --port 0 --token correct-horse --open || echo "exit $?"
