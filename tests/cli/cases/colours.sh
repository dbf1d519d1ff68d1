# By the option only: standard output is no terminal here.
"$afterstate" hint 1230000000000010 --depth 1 --color always | head -1 | cat -v
"$afterstate" hint 1230000000000010 --depth 1 --color=never | head -1 | cat -v
"$afterstate" --color=always help | head -1
"$afterstate" --color always plot --help | grep Options | cat -v
NO_COLOR=1 "$afterstate" --color always plot --help | grep Options | cat -v
"$afterstate" --color sometimes help || echo "exit $?"
"$afterstate" hint --color sometimes || echo "exit $?"
