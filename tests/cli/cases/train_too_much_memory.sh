printf '[network]\nshape = 421-43\nvalues = 18\nstages = 0 32768\n' >recipe.ini
"$afterstate" train recipe.ini --out run --set network.stages='bits 5' --quiet 2>&1 |
    sed 's/learning .*/learning [..]/'
code=${PIPESTATUS[0]}
ls
exit "$code"
