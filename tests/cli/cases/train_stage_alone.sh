echo >recipe.ini
"$afterstate" train recipe.ini --out run --stage 0
