# The port is taken before anything is loaded: the wrong name of a network is not reached, and a good one not waited for.
"$afterstate" serve --port 0 --player simple >address &
first=$!
until [ -s address ]; do sleep 0.05; done
port=$(grep -oE '127.0.0.1:[0-9]+' address | cut -d: -f2)
"$afterstate" serve --port "$port" --player none.net 2>&1 | sed "s/$port/PORT/g"
echo "exit ${PIPESTATUS[0]}"
kill $first
wait $first
"$afterstate" serve --port 0 --player none.net || echo "exit $?"
