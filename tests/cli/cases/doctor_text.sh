# What differs from machine to machine is left out.
AFTERSTATE_NET= "$afterstate" doctor >said || echo "exit $?"
cut -c10-22 said | grep -v 'instructions\|address space'
"$afterstate" solve 2x2 --out tables/2x2 --quiet >/dev/null
AFTERSTATE_NET=$(dirname "$0")/../networks/one.net "$afterstate" doctor | grep -o 'by AFTERSTATE_NET\|tables/2x2: .*'
AFTERSTATE_NET=none.net "$afterstate" doctor --quiet >said || echo "exit $?"
grep -c missing said
AFTERSTATE_NET= "$afterstate" doctor --json | grep -c '"state"'
