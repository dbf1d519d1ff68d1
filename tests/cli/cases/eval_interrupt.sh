# Interrupted: prints how to resume; a resumed evaluation gives the scores of an uninterrupted one.
cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" eval --net split.net --games 10000000 --depth 3 --seed 3 --csv games.csv --quiet >text &
for _ in $(seq 200); do
    [ ! -e games.csv ] || [ "$(wc -l <games.csv)" -lt 40 ] || break
    sleep 0.05
done
kill -TERM $! # a shell's background job ignores SIGINT
wait $!
echo "exit $?"
grep -oE "stopped early: these are the games before the first unfinished one|the same command resumes from games.csv" text
"$afterstate" eval --net split.net --games 20 --depth 3 --seed 3 --csv games.csv --quiet | grep score >resumed
"$afterstate" eval --net split.net --games 20 --depth 3 --seed 3 --quiet | grep score | diff - resumed && echo "the same scores"
