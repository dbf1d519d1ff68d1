# Chances of a tile: as text, as JSON, on lines, and by a table of moves.
$afterstate solve 2x3 --out table --objective tile:64 --bits 24 --quiet >/dev/null
$afterstate query table "32 2 0 / 32 4 0"
$afterstate query table 120301
$afterstate query table 120301 --json
printf '%s\n' 120301 250501 126301 | $afterstate query table
$afterstate solve 2x3 --out moves --objective tile:64 --store moves --quiet >/dev/null
$afterstate query moves 120301
$afterstate query moves 126301
