printf '[learn]\naverage_from = 1e6\n' >recipe.ini
"$afterstate" train recipe.ini --dry-run
