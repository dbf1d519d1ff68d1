"$afterstate" bank rows --boards 4
"$afterstate" bank '0 1 2 3 7 6' --tile 65536 --small 2 --boards 2 --seed 7 --json
