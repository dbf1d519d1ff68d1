cp "$(dirname "$0")"/../networks/*.net .
printf '[network]\ntuple = 0 1 2\n' >recipe.ini
"$afterstate" train recipe.ini --out run --quiet --weights one.net
