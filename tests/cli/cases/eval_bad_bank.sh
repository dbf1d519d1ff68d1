printf "# two\n1200000000000000\n12345\n" >bank.txt
"$afterstate" eval --from bank.txt
