echo >recipe.ini
"$afterstate" train recipe.ini --dry-run --set learn.rate
