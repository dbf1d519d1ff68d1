# No folder, an empty one, one with a table that games can use and one that they cannot; the late network may be there
# or not.
late() { sed -E 's/^(play, hint|not used).*/USE/; s|"late_network":.*|"late_network": NET,|; s|"used":.*|"used": USED|; s|"folder":.*|"folder": FOLDER,|'; }
exec 2>&1
"$afterstate" endgame info
"$afterstate" endgame info missing || echo "exit $?"
mkdir own-tables
"$afterstate" endgame info
"$afterstate" endgame info --json | late
"$afterstate" solve 4x4 --walls rows8 --target 32 --out own-tables/rows8 --threads 1 --quiet >/dev/null
"$afterstate" solve 4x4 --walls rows8 --target 32 --out own-tables/counted --to-age 30 --quiet >/dev/null
"$afterstate" solve 2x2 --out own-tables/small --quiet >/dev/null
"$afterstate" endgame info | late
"$afterstate" endgame info --json | late
"$afterstate" endgame info own-tables/rows8 | late
printf x | dd of=own-tables/rows8/index.table bs=1 seek=100 conv=notrunc status=none
"$afterstate" endgame info || echo "exit $?"
