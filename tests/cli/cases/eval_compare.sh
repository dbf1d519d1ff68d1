# The paired difference is that of the two logs, worked out by another program.
cp "$(dirname "$0")"/../networks/*.net .
cat >tiny.ini <<END
[board]
rows = 3
cols = 3
[network]
tuple = xxx/xx./...
[train]
actions = 20000
threads = 1
END
"$afterstate" train tiny.ini --out run --quiet >/dev/null
"$afterstate" eval --compare split.net run/network.net --games 200 --quiet --csv a.csv --csv b.csv >text
sed -E 's/now .*/now N/; s/(time per move:).*/\1 N/' text | grep -c "games by"
join -t, <(sed 1,2d a.csv | sort -t, -k1,1) <(sed 1,2d b.csv | sort -t, -k1,1) |
    awk -F, '{ d = $8 - $3; sum += d; squares += d * d; n++; better += d > 0; worse += d < 0 }
        END { mean = sum / n; printf "difference (second - first): %+.1f +- %.1f (95%%) over %d pairs; the second scored more in %d, less in %d\n",
            mean, 1.959964 * sqrt((squares - n * mean * mean) / (n - 1) / n), n, better, worse }' >expected
grep difference text | diff expected - && echo "the same difference"
"$afterstate" eval --compare split.net run/network.net --games 200 --json | grep -c '"difference"'
"$afterstate" eval --compare split.net split.net --games 20 --json | sed -n '/difference/,$p'
