echo >recipe.ini
"$afterstate" train recipe.ini
