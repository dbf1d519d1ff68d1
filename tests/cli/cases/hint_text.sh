"$afterstate" hint 1230000000000010 | sed -E 's/, [0-9.]* [um]*s$/, N ms/; s/([0-9])\.[0-9]+/\1/'
"$afterstate" hint "2 4 8 / 0 0 2 / 0 0 0" --depth 2 | sed -E 's/, [0-9.]* [um]*s$/, N ms/; s/([0-9])\.[0-9]+/\1/'
"$afterstate" hint 1212212112122121
