# A program that sends one board at a time: each answer has to arrive before the next question is written.
coproc HINT { "$afterstate" hint --board 3x3 --depth 2; }
pid=$HINT_PID to=${HINT[1]} # bash forgets them when the program ends
for board in 123000000 120000000 bad 112233000; do
    echo "$board" >&"$to"
    IFS= read -r -t 20 answer <&"${HINT[0]}" || { echo "no answer to $board"; exit 1; }
    echo "$board: $answer" | sed -E 's/[0-9.]+ ms/N ms/; s/([0-9])\.[0-9]+/\1/g'
done
exec {to}>&-
wait "$pid"
