"$afterstate" tuples campaign --cells 9 --per-network 64 --experiments 10 --threads 64 --board 4x4 --out x
ls
