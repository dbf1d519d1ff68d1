"$afterstate" reproduce terauchi-4 --budget long --out here
ls
