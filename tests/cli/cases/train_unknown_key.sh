printf '[learn]\nlamda = 0.5\n' >recipe.ini
"$afterstate" train recipe.ini --dry-run
