# A program that sends one board at a time: each answer has to arrive before the next question is written.
$afterstate solve 2x3 --out table --quiet >/dev/null
coproc QUERY { $afterstate query table; }
pid=$QUERY_PID to=${QUERY[1]} # bash forgets them when the program ends
for board in 120301 bad 110000; do
    echo "$board" >&"$to"
    IFS= read -r -t 20 answer <&"${QUERY[0]}" || { echo "no answer to $board"; exit 1; }
    echo "$board: $answer"
done
exec {to}>&-
wait "$pid"
