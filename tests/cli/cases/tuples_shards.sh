for shard in 1 2; do
    "$afterstate" tuples campaign --board 2x3 --cells 3 --per-network 2 --experiments 5 --games 20 --last 50 \
        --shard $shard/2 --out part-$shard --quiet 2>/dev/null
done
"$afterstate" tuples merge whole part-1
"$afterstate" tuples merge whole part-2 --json
"$afterstate" tuples campaign --board 2x3 --cells 3 --per-network 2 --experiments 5 --games 20 --last 50 \
    --out one --quiet 2>/dev/null
diff <(cut -d , -f 1-7 one/experiments.csv) <(cut -d , -f 1-7 whole/experiments.csv) && echo the same
"$afterstate" tuples merge whole part-1 nowhere
