# The program in trees of its own: without a network, installed, built.
unset AFTERSTATE_NET
network=$(dirname "$0")/../networks/bits.net
mkdir -p tree/bin tree/share/afterstate/nets source/build/gcc source/nets
cp "$afterstate" tree/bin/afterstate
cp "$afterstate" source/build/gcc/afterstate
for program in tree/bin/afterstate source/build/gcc/afterstate; do
    $program hint 1230000000000010 --depth 1 2>&1 | sed 's/, .* ms//'
    $program hint 1230000000000010 --depth 1 --net bundled
done
cp "$network" tree/share/afterstate/nets/default.net
cp "$network" source/nets/default.net
for program in tree/bin/afterstate source/build/gcc/afterstate; do
    $program eval --games 2 --json | grep '"player"'
    $program play --games 2 --player simple --json | grep '"player"'
done
