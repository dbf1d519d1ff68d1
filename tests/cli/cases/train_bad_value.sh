printf '[train]\nactions = many\n' >recipe.ini
"$afterstate" train recipe.ini --dry-run
