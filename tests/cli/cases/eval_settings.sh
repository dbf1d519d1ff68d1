# What the options of a search mean where they are not given: a table from 3 plies on and with a time, else none.
show() { "$afterstate" eval --board 2x2 --games 2 --json "$@" | sed -n '/"depth"/,/"table_mib"/p' | tr -d '\n\t' && echo; }
show
show --depth 3
show --depth 4
show --depth 3 --tt 1
show --depth 1 --tt 2
show --depth 2 --time 1000 --prune 0.01 --downgrade 32768
show --depth 4 --margin 250
