$afterstate solve 2x3 --out table --quiet >/dev/null
$afterstate solve --dump table --age 16 --out arrays
ls arrays
head -c 127 arrays/states-16.npy | tail -c 117 | sed 's/ *$//'
echo
od -A n -v -t u1 -w6 -j 128 arrays/states-16.npy | tr -d ' ' | $afterstate query table | wc -l
$afterstate solve --dump table --age 16 --out again --threads 3 --json
cmp arrays/state-values-16.npy again/state-values-16.npy
