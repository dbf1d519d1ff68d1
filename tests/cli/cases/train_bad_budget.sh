echo >recipe.ini
"$afterstate" train recipe.ini --out run --budget soon
