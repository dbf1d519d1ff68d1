# What a solve with a goal and another chance of a 4 prints, and what reads its table: ages, statistics, arrays.
$afterstate solve 2x3 --out table --objective tile:32 --four-chance 0.25 --bits 24 --json --quiet |
    sed -E '/seconds?"|_per_second"|bytes"|_bits"/d'
$afterstate solve 2x3 --out table --from-age 40 --to-age 42 --json
$afterstate solve 2x3 --out table --from-age 40 --to-age 42
$afterstate solve --stats table --out figures --quiet
$afterstate solve --stats table --out figures --json
grep -h -o '<text[^>]*>[A-Za-z][^<]*</text>' figures/*.svg | sed -E 's/<[^>]*>//g' | sort -u
$afterstate solve --dump table --age 40 --out arrays --json
$afterstate solve --verify table
