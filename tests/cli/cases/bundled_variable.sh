# Without --net: the network of AFTERSTATE_NET, on 4x4 only.
dir=$(dirname "$0")/../networks
AFTERSTATE_NET=$dir/bits.net "$afterstate" hint 1230000000000010 --depth 1 | sed 's/, [0-9.]* [um]*s$//'
AFTERSTATE_NET=$dir/bits.net "$afterstate" eval --games 2 --json | grep '"player"' | sed 's|"[^"]*/|"|'
AFTERSTATE_NET=$dir/bits.net "$afterstate" eval --games 2 --net simple --json | grep '"player"'
AFTERSTATE_NET=$dir/bits.net "$afterstate" play --games 2 --board 3x3 --json | grep '"player"'
AFTERSTATE_NET=$dir/bits.net "$afterstate" play --games 2 --player random --json | grep '"player"'
