# Seeds may join later; the runs that are there stay.
groups=$(dirname "$0")/../groups
"$afterstate" reproduce "$groups"/tiny.ini --out here --actions 10000 --seeds 1 --games 10 --quiet | grep -o '1-ply, .*, 1 seed'
cp here/four-cells-s1/measured before
"$afterstate" reproduce "$groups"/tiny.ini --out here --seeds 2 --games 10 --quiet | grep -o '1-ply, .*, 2 seeds .*)'
cmp before here/four-cells-s1/measured && grep seeds here/plan.ini
