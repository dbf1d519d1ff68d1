"$afterstate" play --games 2 --board 2x2 --seed 1 --time 0 --depth 3 --tt 1 --prune 0.001 --downgrade 2048 --json |
    sed -n '/depth/,/table_mib/p'
