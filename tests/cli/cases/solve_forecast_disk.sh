# No test machine has the disk for 4x3; what is free differs.
"$afterstate" solve 4x3 --out table --threads 2 --memory 64 2>&1 | sed -E "s/, [^,]+ are free; .*;/, N are free; ..;/"
ls
