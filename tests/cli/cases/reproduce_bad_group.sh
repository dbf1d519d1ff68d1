for line in 'measure = 0-ply, 5 games' 'measure = states' 'kind = walk' 'measure = exact
row = a | b.ini'; do
    printf '[group]\n%s\n' "$line" >bad.ini
    "$afterstate" reproduce ./bad.ini --out here
done
