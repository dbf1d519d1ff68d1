# A run directory in place of its network; and no name at all.
mkdir run && touch run/network.net
"$afterstate" eval --player run
"$afterstate" hint --net run/ 1100
"$afterstate" play --player ""
