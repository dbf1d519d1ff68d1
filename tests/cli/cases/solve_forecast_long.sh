# Printed before a long solve, which is then stopped.
: >messages
"$afterstate" solve 4x3 --out table --threads 1 --store none --checkpoint-every 64 --to-age 400 >/dev/null 2>messages &
for ((i = 0; i < 600; i++)); do
    grep -q ^forecast messages && break
    sleep 0.1
done
kill -KILL $!
wait $! 2>/dev/null
grep ^forecast messages | sed -E "s/states, about [^,]*,/states, about TIME,/"
