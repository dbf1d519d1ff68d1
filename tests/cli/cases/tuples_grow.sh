"$afterstate" tuples grow --board 2x3 --cells 3 --tuples 2 --games 10 --rate 0.01 --out grown --quiet >network.ini
cat network.ini
cut -d , -f 1-7 grown/trials.csv
"$afterstate" tuples grow --out grown --tuples 3 --json
"$afterstate" train network.ini --dry-run | grep 'network:'
