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
"$afterstate" train tiny.ini --out run --quiet >/dev/null
"$afterstate" train tiny.ini --out run --quiet --seed 2 --set learn.lambda=0.1
