# A neural network in half the bytes: its values are those of the rounded weights, and storing them again changes nothing.
cp "$(dirname "$0")"/../networks/*.net .
$afterstate net convert images.net half.net --storage bfloat16 | grep -v '^file'
$afterstate net convert half.net again.net --storage bfloat16 --quiet >/dev/null
$afterstate net convert half.net floats.net --quiet >/dev/null
$afterstate net info half.net | grep -v '^file'
for net in half again floats; do
    $afterstate eval --net $net.net --board 3x3 --games 20 --depth 2 --seed 3 --json | tr -d '\n\t' | grep -o '"mean":[^,]*'
done
$afterstate net convert one.net out.net --storage bfloat16
