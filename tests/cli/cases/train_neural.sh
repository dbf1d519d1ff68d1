# A neural run: its log has losses, it keeps networks and the best of them, another one starts from its weights.
cat >tiny.ini <<END
[board]
rows = 2
cols = 3
[neural]
model = fc 16
batch = 32
scale = 100
initial = fan-in
[train]
actions = 4000
threads = 1
keep = 2000
[eval]
every = 1000
games = 20
END
"$afterstate" train tiny.ini --out run --quiet | sed -E "s/[0-9][0-9,.]* ?[mµu]?s?/N /g"
ls run | sed -E "s/[0-9]+/N/"
head -1 run/log.csv
"$afterstate" train tiny.ini --out next --quiet --weights run/best.net --set train.actions=100 --set neural.scale=50 \
    --set eval.every=0 --set eval.games=0 | sed -E "s/[0-9][0-9,.]* ?[mµu]?s?/N /g"
"$afterstate" train tiny.ini --out other --quiet --weights run/best.net --set neural.model="fc 8"
"$afterstate" train tiny.ini --out other --quiet --weights run/best.net --stage 0
"$afterstate" train tiny.ini --out other --quiet --weights nothing.net
ls
