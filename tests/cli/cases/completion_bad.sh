"$afterstate" completion tcsh
