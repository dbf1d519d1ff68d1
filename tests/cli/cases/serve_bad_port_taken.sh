# A port that another server has.
"$afterstate" serve --port 0 >address &
first=$!
for _ in $(seq 200); do
    [ ! -s address ] || break
    sleep 0.05
done
port=$(sed 's|.*:\([0-9]*\)/|\1|' address)
"$afterstate" serve --port "$port" 2>message
echo "exit $?"
sed "s/$port/PORT/" message
kill -TERM $first
wait $first
echo "exit $?"
