$afterstate solve 2x3 --out table --quiet >/dev/null
file=$(ls table/values-* | head -1)
for ((at = 60; at < $(stat -c %s "$file") - 60; at += 64)); do # a byte in every block
    printf "x" | dd of="$file" bs=1 seek=$at conv=notrunc 2>/dev/null
done
$afterstate query table 120301
