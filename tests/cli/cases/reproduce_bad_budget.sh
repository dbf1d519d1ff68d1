"$afterstate" reproduce vse-4 --budget long --out here
ls
