# Two runs in one chart; one of them was never measured. Then one run with two columns, and as JSON.
mkdir td tc
cat >td/log.csv <<'CSV'
actions,games,seconds,moves_per_second,training_mean,eval_mean,eval_ci95,tile_2048,touched
1000,10,0.5,2000,900.5,1000.0,20.0,0.0000,0.1
2000,15,1.0,2000,1500.5,,,,0.1
3000,19,1.5,2000,2100.0,2500.0,50.0,0.2500,0.2
CSV
cut -d, -f1-5 td/log.csv >tc/log.csv
"$afterstate" plot td tc --out both.svg
grep -c "class='line'" both.svg
grep -oE "class='line' stroke='[^']*' d='M[^']*L[^']*'" both.svg
"$afterstate" plot td/log.csv -c tile_2048 -c touched --x seconds --title 'a < b' --zero --log
grep -oE "<text[^>]*>[^<]*(a &lt; b|tile_2048|touched|seconds)[^<]*" plot.svg | sed 's/.*>//'
"$afterstate" plot td --json
