# A campaign, its ranking and its network, which train takes as it is.
"$afterstate" tuples campaign --board 2x3 --cells 3 --per-network 2 --experiments 12 --games 40 --last 50 \
    --rate 0.01 --threads 2 --out six --quiet 2>/dev/null
cut -d , -f 1-7 six/experiments.csv
"$afterstate" tuples rank six --draw --svg six.svg
head -c 4 six.svg; echo
"$afterstate" tuples pick six --top 2 >network.ini
cat network.ini
"$afterstate" train network.ini --dry-run | grep 'network:'
"$afterstate" tuples pick six --top 1 --learn | tail -n 4
# By temporal coherence, with a split encoding.
"$afterstate" tuples campaign --board 2x3 --cells 3 --per-network 2 --experiments 12 --games 40 --last 50 \
    --rule tc --vse "1-4 5-7" --threads 2 --out split --quiet 2>/dev/null
grep -E "vse|rule|rate" split/campaign.ini
cut -d , -f 1-7 split/experiments.csv | head -n 3
"$afterstate" tuples pick split --top 1 --learn | tail -n 5
"$afterstate" tuples campaign --values 5 --vse 1-4 --out both
# Lengthened; nothing to do; another game.
"$afterstate" tuples campaign --experiments 14 --out six --quiet 2>/dev/null
"$afterstate" tuples campaign --out six --json | sed -E 's/("(seconds|moves_per_second|busy)":.)[0-9.e+-]+/\1N/'
"$afterstate" tuples campaign --out six --games 50
"$afterstate" tuples campaign --out six --experiments 5
wc -l <six/experiments.csv
