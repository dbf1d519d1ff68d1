# Two players on the same starts: the difference of their rates is that of the two logs, worked out by another program.
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
printf '765000210\n650700120\n700000011\n' >bank.txt
"$afterstate" eval --compare split.net run/network.net --from bank.txt --until 256 --games 200 --csv a.csv --csv b.csv --quiet |
    grep success >text
join -t, <(sed 1,2d a.csv | sort -t, -k1,1) <(sed 1,2d b.csv | sort -t, -k1,1) |
    awk -F, '{ d = $14 - $7; sum += d; squares += d * d; n++; second += d > 0; first += d < 0 }
        END { mean = sum / n; printf "difference of success: %+.1f +- %.1f points of 100 (95%%); only the second made it in %d, only the first in %d\n",
            100 * mean, 195.9964 * sqrt((squares - n * mean * mean) / (n - 1) / n), second, first }' | diff - text && echo "the same difference"
"$afterstate" eval --compare split.net split.net --from bank.txt --until 256 --games 30 --json | sed -n '/difference/,$p'
