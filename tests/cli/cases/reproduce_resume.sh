# Stopped in the middle, a group resumes; with one thread a run then gives the same figures as one that was never stopped.
group=$(dirname "$0")/../groups/tiny.ini
options="--actions 300000 --seeds 1 --threads 1 --games 50 --quiet"
figures() { sed -E 's/, [0-9]+[0-9hms. ]+$//; s/needs .*/needs N/'; }
"$afterstate" reproduce "$group" --out stopped $options >table 2>said &
pid=$!
until [ -s stopped/four-cells-s1/recipe.ini ]; do sleep 0.01; done
kill -TERM $pid # a shell's background job ignores SIGINT
wait $pid
echo "exit $?"
cat said
figures <table | grep pairs
"$afterstate" reproduce "$group" --out stopped --games 50 --threads 1 --quiet | figures >resumed
"$afterstate" reproduce "$group" --out whole $options | figures >whole.txt
cmp resumed whole.txt && grep exact resumed
