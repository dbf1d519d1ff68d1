cat >tiny.ini <<END
[board]
rows = 2
cols = 3
[network]
tuple = xxx/xx.
[train]
actions = 20000
threads = 1
[eval]
every = 10000
games = 20
END
"$afterstate" train tiny.ini --out run --quiet | sed -E "s/[0-9][0-9,.]* ?m?s?/N /g"
ls run
wc -l <run/log.csv
"$afterstate" train --out run --quiet --set train.actions=30000 | sed -E "s/[0-9][0-9,.]* ?m?s?/N /g"
wc -l <run/log.csv
