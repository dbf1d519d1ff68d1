# Locked cells: the solve, its table checked and queried in two images, and what is refused.
$afterstate solve 4x4 --walls rows8 --target 32 --out table --threads 1 --store values | sed -E "s/[0-9.]+ [mu]?s \(.* states/TIME (RATE states/"
$afterstate solve --verify table --samples 1000
$afterstate query table "1024 512 256 128 / 64 128 512 256 / 2 4 0 2 / 2 0 0 4"
$afterstate query table "2 2 64 1024 / 0 4 128 512 / 0 0 512 256 / 4 2 256 128" --json
$afterstate query table "1024 512 256 128 / 64 128 256 16 / 2 4 0 2 / 2 0 0 4"
$afterstate query table "1024 1024 256 128 / 64 128 256 512 / 2 4 0 2 / 2 0 0 4"
$afterstate solve 3x3 --walls 0,1 --target 16 --at 2 --out at --quiet --json | grep -v second
$afterstate solve 4x4 --walls rows8 --target 32 --at 8 --caps "8,9:16 10,11:8 12-15:4" --out caps --quiet --json | grep -E "caps|chance|score|states\""
$afterstate query caps "1024 512 256 128 / 64 128 512 256 / 8 4 0 2 / 2 0 0 4"
$afterstate query caps "1024 512 256 128 / 64 128 512 256 / 8 4 0 2 / 8 0 0 4"
$afterstate solve 4x4 --walls rows8 --target 32 --at 8 --out caps
$afterstate solve 4x4 --walls rows8 --target 32 --caps "7:16" --out other
$afterstate solve 4x4 --walls rows8 --target 32 --caps "8:2" --out other
$afterstate solve 4x4 --walls rows8 --target 32 --caps "8:12" --out other
$afterstate solve 4x4 --walls rows8 --target 32 --caps "8:16 8:8" --out other
$afterstate solve 3x3 --caps 2:8 --target 16 --out other
$afterstate solve 3x3 --walls block --target 16 --out other
$afterstate solve 4x4 --walls 0 --target 16 --out other
$afterstate solve 4x4 --walls block --out other
$afterstate solve 3x3 --at 2 --target 16 --out other
$afterstate solve 3x3 --walls 0,1 --target 16 --out at
$afterstate exact at --policy random
