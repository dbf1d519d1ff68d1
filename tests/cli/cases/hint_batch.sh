printf '%s\n' 123000000 12 "0 0 0 / 0 0 0 / 0 0 0" "2 4 8 / 0 0 2 / 0 0 0" 121212121 "" 00b000000 |
    "$afterstate" hint - --board 3x3 --depth 2 | sed -E 's/[0-9.]+ ms/N ms/; s/([0-9])\.[0-9]+/\1/g'
exit "${PIPESTATUS[1]}"
