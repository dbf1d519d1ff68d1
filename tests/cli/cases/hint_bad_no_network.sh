"$afterstate" hint 123000000 --net nowhere.net
