echo "no network at all, only text" >text.net
"$afterstate" net info text.net
