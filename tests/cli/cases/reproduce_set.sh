# Settings of all rows; few games hold for the curves too; the best of the kept networks is there to be measured.
groups=$(dirname "$0")/../groups
"$afterstate" reproduce "$groups"/tiny.ini --out here --actions 2000 --seeds 1 --threads 1 --games 5 --quiet \
    --set train.keep=1000 --set learn.rate=0.5 >/dev/null
grep -hE "^(rate|keep|games) =" here/pairs-s1/recipe.ini
ls here/pairs-s1 | sed -E "s/[0-9]+/N/" | sort -u
"$afterstate" reproduce "$groups"/tiny.ini --out other --actions 2000 --threads 1 --quiet --set learn.rated=1 2>&1 |
    sed "s|[^ ]*groups|groups|" >&2
"$afterstate" eval --net weights.npz
