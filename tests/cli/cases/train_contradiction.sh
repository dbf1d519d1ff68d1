printf '[learn]\nrule = autostep\n[start]\nkind = carousel\n' >recipe.ini
"$afterstate" train recipe.ini --dry-run
