# The lines of the variants need no values: tables solved with --store none serve.
for variant in normal optimistic pessimistic; do
    $afterstate solve 2x2 --variant $variant --store none --out $variant --quiet >/dev/null
done
$afterstate solve --stats normal --optimistic optimistic --pessimistic pessimistic --out figures --quiet
cut -d, -f1-7 figures/ages.csv
$afterstate solve --stats normal --optimistic pessimistic --out wrong --quiet
