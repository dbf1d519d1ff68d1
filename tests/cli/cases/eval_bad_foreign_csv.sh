echo "name,age" >people.csv
"$afterstate" eval --board 2x2 --games 3 --csv people.csv
