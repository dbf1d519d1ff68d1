cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" hint 123012001 --net images.net --depth 3 | sed -E 's/, [0-9.]* [um]*s$/, N ms/'
"$afterstate" hint "2 4 0 / 0 0 8" --net lying.net --depth 1 | sed -E 's/, [0-9.]* [um]*s$/, N ms/'
"$afterstate" hint 1230000000000010 --net images.net
