printf '[network]\nshape = 4x66\n' >recipe.ini
"$afterstate" train recipe.ini --dry-run
