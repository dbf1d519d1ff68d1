# The program in trees of its own: without a network, installed, built.
unset AFTERSTATE_NET
network=$(dirname "$0")/../networks/bits.net
mkdir -p tree/bin tree/share/afterstate/nets source/build/gcc source/nets away/from/source
cp "$afterstate" tree/bin/afterstate
cp "$afterstate" source/build/gcc/afterstate
cp "$afterstate" away/from/source/afterstate
for program in tree/bin/afterstate source/build/gcc/afterstate away/from/source/afterstate; do
    $program hint 1230000000000010 --depth 1 2>&1 | sed "s/, [0-9.]* [um]*s$//; s,$PWD,HERE,g"
    $program hint 1230000000000010 --depth 1 --player bundled 2>&1 | sed "s,$PWD,HERE,g"
done
ln -s ../../../source away/from/source/source # as CMake makes it for a build outside the source
cp "$network" tree/share/afterstate/nets/default.net
cp "$network" source/nets/default.net
for program in tree/bin/afterstate source/build/gcc/afterstate away/from/source/afterstate; do
    $program eval --games 2 --json | grep '"player"'
    $program play --games 2 --player simple --json | grep '"player"'
done
