"$afterstate" eval --collect bank.txt
