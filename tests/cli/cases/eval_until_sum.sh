# Games that end when several tiles stand; the boards begin the plays of a training.
mask() { sed -E 's/now .*/now N/'; }
"$afterstate" eval --board 3x3 --until 128+64 --games 200 --quiet --collect large.txt | head -n 2 | mask
head -n 1 large.txt
"$afterstate" eval --board 3x3 --until 64+128+256 --games 10 --json | grep until
set -- train tiny-3x3 --out run --threads 1 --quiet --set train.actions=3000 --set eval.games=0 --set eval.every=0 \
    --set start.bank=large.txt
"$afterstate" "$@" 2>&1 || echo "exit $?"
"$afterstate" "$@" --set start.kind=jump --set start.jump=none --set start.bank_share=1 >/dev/null 2>&1 && echo trained
for sum in 128+ 128+128 128+96 +128 2+4 128-64; do
    "$afterstate" eval --board 3x3 --until $sum 2>&1 || echo "exit $?"
done
echo 123456789 >full.txt
"$afterstate" "$@" --out other --set start.kind=jump --set start.jump=none --set start.bank=full.txt 2>&1 || echo "exit $?"
