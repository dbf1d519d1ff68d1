# What a board shows as its size holds for the simple value too, whether it is named or not.
"$afterstate" hint 123001000 --player simple --depth 1 --json | grep -c '"best"'
"$afterstate" hint "[[2, 4, 0], [8, 0, 2]]" --net simple --depth 1 --json | grep -c '"best"'
"$afterstate" hint "[[2, 4, 0], [8, 0, 2]]" --depth 1 --json | grep -c '"best"'
"$afterstate" hint "[[2, 4, 0, 0], [8, 0, 2]]" --depth 1
