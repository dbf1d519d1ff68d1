# Says where it is, answers, and stops with exit code 0 while a minute's search runs.
"$afterstate" serve --port 0 --max-ms 60000 --json >address &
server=$!
for _ in $(seq 200); do
    [ ! -s address ] || break
    sleep 0.05
done
port=$(sed 's|.*"port":\([0-9]*\)}|\1|' address)
sed "s/$port/PORT/g" address
ask() {
    printf 'GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' "$1" >&"$2"
}
exec 3<>"/dev/tcp/127.0.0.1/$port"
ask '/api/hint?board=1230000000000010&depth=2' 3
tail -n 1 <&3 | sed 's/"ms":[0-9.e-]*/"ms":MS/'
echo
exec 4<>"/dev/tcp/127.0.0.1/$port"
ask '/api/hint?board=1000000000000001&ms=60000' 4
for _ in $(seq 200); do
    exec 5<>"/dev/tcp/127.0.0.1/$port"
    ask /api/health 5
    ! grep -q '"running":1' <&5 || break
    sleep 0.05
done
kill -TERM $server
wait $server
echo "exit $?"
tail -n 1 <&4
echo
"$afterstate" hint 1230000000000010 --depth 2 --json | grep -A 5 '"moves"'
