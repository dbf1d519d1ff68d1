exec 2>&1
run() { "$afterstate" "$@" || echo "exit $?"; }
cp "$(dirname "$0")/../networks/bits.net" .
bits=bits.net
run endgame
run endgame buidl
run endgame build tables
run endgame info a b
HOME= AFTERSTATE_ENDGAME= XDG_DATA_HOME= run endgame info
HOME= AFTERSTATE_ENDGAME= XDG_DATA_HOME= run endgame build
run play --player random --endgame none
run eval --net "$bits" --endgame missing --late-net "$bits"
run eval --net "$bits" --endgame none --late-net missing.net
run eval --late-net "$bits"
run eval --net simple --board 3x3 --endgame none --late-net "$bits"
