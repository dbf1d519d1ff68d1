# The server with a late network and tables: named in its answers, chances in hints; loaded at once or when first requested.
unset AFTERSTATE_NET
cp "$(dirname "$0")/../networks/bits.net" .
mkdir -p tree/bin tree/share/afterstate/nets
cp "$afterstate" tree/bin/afterstate
cp bits.net tree/share/afterstate/nets/default.net
cp bits.net tree/share/afterstate/nets/late.net
"$afterstate" solve 4x4 --walls block8 --target 32 --out tables/block8 --threads 1 --quiet >/dev/null
"$afterstate" solve 2x2 --out small --quiet >/dev/null
get() {
    exec 3<>"/dev/tcp/127.0.0.1/$1"
    printf 'GET %s HTTP/1.0\r\nHost: localhost:%s\r\n\r\n' "$2" "$1" >&3
    timeout 60 cat <&3
    exec 3>&-
}
serve() {
    echo "serve $*"
    rm -f url
    tree/bin/afterstate serve --port 0 --threads 1 --json "$@" >url &
    for _ in $(seq 1200); do
        [ ! -s url ] || break
        sleep 0.05
    done
    port=$(sed -E 's/.*"port":([0-9]+).*/\1/' url)
    get "$port" /api/health | grep -oE '"size":"[0-9x]*"|"judge":"[^"]*"' | paste -sd' '
    get "$port" "/api/hint?board=edc0b980760102120&depth=1" | grep -oE '"error":"[^"]*"'
    get "$port" "/api/hint?board=edc0b98076010212&depth=1" | grep -oE '"endgame":(null|\{.*\}\})'
    get "$port" "/api/hint?board=1230000000000010&depth=1" | grep -oE '"judge":"[^"]*"|"endgame":(null|\{.*\}\})' | paste -sd' '
    kill -TERM $!
    wait $!
}
serve
serve --endgame tables
serve --endgame tables --table small
AFTERSTATE_ENDGAME=tables serve
AFTERSTATE_ENDGAME=tables serve --net bits.net
AFTERSTATE_ENDGAME=tables serve --endgame off
tree/bin/afterstate serve --port 0 --endgame missing 2>&1
echo "exit $?"
