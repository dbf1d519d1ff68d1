# With tables of other sizes only, the bundled network is not read before the first hint on 4x4.
unset AFTERSTATE_NET
mkdir -p tree/bin tree/share/afterstate/nets
cp "$afterstate" tree/bin/afterstate
program=tree/bin/afterstate
bundled=tree/share/afterstate/nets/default.net
echo 'no network' >"$bundled"
$program solve 2x2 --out table --quiet >/dev/null
$program serve --port 0 2>&1 | sed "s|'*[^ ]*/tree/|tree/|"
$program serve --port 0 --table table --json >address &
server=$!
for _ in $(seq 200); do
    [ ! -s address ] || break
    sleep 0.05
done
port=$(sed 's|.*"port":\([0-9]*\)}|\1|' address)
ask() {
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    printf 'GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' "$1" >&3
    tail -n 1 <&3 | sed 's/"ms":[0-9.e-]*/"ms":MS/; s|[^"'"'"' ]*/tree/|tree/|'
    echo
}
ask /api/health | grep -o '"boards":[^]]*]'
ask '/api/hint?board=1010&depth=1'
ask '/api/hint?board=1230000000000010&depth=1'
cp "$(dirname "$0")"/../networks/bits.net new.net
mv new.net "$bundled"
ask '/api/hint?board=1230000000000010&depth=1'
ask '/api/hint?board=1230000000000010&depth=1'
$program hint 1230000000000010 --depth 1 --json | tr -d '\n\t' | grep -o '"moves":{[^}]*}'
kill -TERM $server
wait $server
echo "exit $?"
