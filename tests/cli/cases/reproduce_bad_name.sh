"$afterstate" reproduce jaskowsky-2
