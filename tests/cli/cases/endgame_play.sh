# Players with a late network and tables: named, distinguished in logs of games; installed tables are used without an option.
unset AFTERSTATE_NET
cp "$(dirname "$0")/../networks/bits.net" .
bits=bits.net
mkdir -p tree/bin tree/share/afterstate/nets
cp "$afterstate" tree/bin/afterstate
cp "$bits" tree/share/afterstate/nets/default.net
afterstate=tree/bin/afterstate
board="16384 8192 4096 0 / 2048 512 256 0 / 128 64 0 2 / 0 4 2 4"
mask() { sed -E 's/, [0-9.]+ (us|ms|s)$//; s/"ms":.*/"ms": N,/; s|(late games: by ).*/tree|\1tree|; s|"late_network":.*tree|"late_network": "tree|'; }
$afterstate solve 4x4 --walls block8 --target 32 --out tables/block8 --threads 1 --quiet >/dev/null

eval() { $afterstate eval --net "$bits" --late-net "$bits" --games 2 --seed 1 "$@" 2>&1; }
eval --endgame tables --csv games.csv --json --quiet | grep -E '"player"|downgrade'
eval --endgame tables --csv games.csv --json --quiet | grep resumed
for endgame in none off; do
    eval --endgame $endgame --downgrade 32768 --csv games.csv --quiet | sed -E 's/[0-9a-f]{16}/HEX/g'
done
eval --endgame auto --json --quiet | grep -E '"player"|downgrade'

echo "no tables, or no late network"
plain=$($afterstate hint --depth 1 --json "$board" | mask)
AFTERSTATE_ENDGAME=tables $afterstate hint --depth 1 --json "$board" | mask | diff - <(echo "$plain") && echo "as ever"
cp "$bits" tree/share/afterstate/nets/late.net
$afterstate hint --depth 1 --json "$board" | mask | diff - <(echo "$plain") && echo "as ever"

echo "both"
export AFTERSTATE_ENDGAME=tables
$afterstate hint --depth 1 --endgame off --json "$board" | mask | diff - <(echo "$plain") && echo "as ever"
$afterstate hint --depth 1 "$board" 2>&1 | mask
$afterstate hint --depth 1 --json --quiet "$board" | grep -A 9 '"endgame"'
$afterstate hint --depth 1 --json --quiet 1230000000000010 | grep -E 'endgame|judge'
$afterstate hint --depth 1 --net "$bits" "$board" --json | grep -cE 'endgame|judge'
$afterstate hint --depth 1 --net "$bits" --endgame auto "$board" --json --quiet | grep -E '"tile"|judge'
$afterstate play --games 2 --seed 1 --json 2>&1 | grep -E 'player|late|downgrade' | mask
$afterstate play --games 2 --seed 1 --board 3x3 --json 2>&1 | grep -E 'player|late|downgrade'
$afterstate endgame info | sed 's|with /.*/tree|with tree|'
