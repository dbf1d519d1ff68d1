echo "no network" >foreign.net
"$afterstate" hint 123000000 --net foreign.net
