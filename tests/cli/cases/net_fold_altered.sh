cp "$(dirname "$0")"/../networks/*.net .
printf x | dd of=redundant.net bs=1 seek=1500 conv=notrunc status=none
"$afterstate" net fold redundant.net out.net
echo "exit $?"
ls
