# Tables of different rules, beside each other.
$afterstate solve 2x2 --out table --quiet >/dev/null
$afterstate solve 2x2 --out goal --objective tile:16 --variant optimistic --quiet >/dev/null
$afterstate query table 1120 --optimistic goal
$afterstate solve 2x2 --out fours --four-chance 0.5 --variant pessimistic --quiet >/dev/null
$afterstate query table 1120 --pessimistic fours
$afterstate solve --stats table --pessimistic fours --out figures
