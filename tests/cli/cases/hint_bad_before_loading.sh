# A mistake in the board is found before the network is opened, here one that is missing.
"$afterstate" hint --net missing.net --board 3x3 12
