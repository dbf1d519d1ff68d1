# The network that --player neural and --net neural name lies beside the bundled one; serve offers both.
unset AFTERSTATE_NET
mkdir -p tree/bin tree/share/afterstate/nets
cp "$afterstate" tree/bin/afterstate
program=tree/bin/afterstate
nets=tree/share/afterstate/nets
$program hint 1230000000000010 --net neural 2>&1 | sed "s|$PWD|HERE|g; s|looked for .*|looked for ..|"
cp "$(dirname "$0")/../networks/bits.net" $nets/default.net
$program train "$(dirname "$0")/../../../recipes/neural-tiny-3x3.ini" --out run --quiet --set board.rows=4 --set board.cols=4 \
    --set train.actions=2000 --set eval.every=0 --set eval.games=0 --threads 1 >/dev/null
$program net convert run/network.net $nets/neural.net --storage bfloat16 --quiet >/dev/null
for verb in play eval; do
    $program $verb --net neural --depth 1 --games 3 --seed 5 --json | grep -o '"player":.*'
done
$program serve --port 0 --json --quiet >address &
server=$!
for _ in $(seq 200); do
    [ ! -s address ] || break
    sleep 0.05
done
port=$(sed 's|.*"port":\([0-9]*\)}|\1|' address)
ask() {
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    printf 'GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' "$1" >&3
    tail -n 1 <&3
    echo
}
ask /api/health | grep -o '"judge":"[^"]*"'
for judge in '' '&judge=bundled' '&judge=neural' '&judge=simple'; do
    ask "/api/hint?board=1230000000000010&depth=1$judge" | grep -o '"judge":"[^"]*"\|"error":.*'
done
kill $server
wait $server
