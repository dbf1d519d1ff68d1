# A board with a 32768 is evaluated with halved tiles by the bundled network, by others only on request.
unset AFTERSTATE_NET
network=$(dirname "$0")/../networks/bits.net
mkdir -p tree/bin tree/share/afterstate/nets
cp "$afterstate" tree/bin/afterstate
cp "$network" tree/share/afterstate/nets/default.net
hint() {
    echo "$*"
    tree/bin/afterstate hint --depth 1 "$@" 1000400092009dff | sed 's/, [0-9.]* [um]*s$//'
}
hint
hint --downgrade 0
cp "$network" other.net
hint --net other.net
hint --net other.net --downgrade 32768
tree/bin/afterstate play --games 2 --seed 1 --json | grep downgrade
tree/bin/afterstate eval --games 2 --seed 1 --json | grep downgrade
