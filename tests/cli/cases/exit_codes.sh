# The same error has the same exit code in every verb that can meet it.
cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" solve 2x2 --out table --quiet >/dev/null
"$afterstate" solve 2x3 --out other --quiet >/dev/null
cp -r table cut
truncate -s 100 cut/index.table
mkdir empty
echo 'no network' >junk
exits() {
    timeout 60 "$afterstate" "$@" >/dev/null 2>&1 </dev/null # a server that starts after all
    echo "$? $*"
}

echo "a file that is not there"
exits play --games 1 --net no
exits play --replay no
exits hint 1010 --board 2x2 --net no
exits eval --games 1 --net no
exits eval --compare no one.net
exits exact table --net no
exits exact table --moves no
exits serve --net no
exits serve --page-dir no
exits train no.ini --out run
exits net info no
exits net fold no out.net
exits net shrink no out.net
exits net shrink one.net out.net --since no
exits net average no one.net out.net
exits net convert no out.net
exits net export no out.npz
exits net import no out.net --model MLP
exits reproduce no.ini

echo "a folder that is not there, or empty"
for folder in no empty; do
    exits exact $folder --policy random
    exits query $folder 1010
    exits serve --table $folder
    exits train --out $folder
    exits plot $folder --out out.svg
    exits tuples rank $folder
    exits tuples pick $folder
    exits tuples merge out $folder
done

echo "a file of another kind, or damaged"
exits play --games 1 --net junk
exits play --replay junk
exits hint 1010 --board 2x2 --net junk
exits eval --games 1 --net junk
exits exact table --net junk
exits serve --net junk
exits net info junk
exits net fold junk out.net
exits net shrink junk out.net
exits net average junk one.net out.net
exits net convert junk out.net
exits net export junk out.npz
exits net import junk out.net --model MLP
exits plot junk --out out.svg
exits exact cut --policy random
exits query cut 1010
exits serve --table cut

echo "no board, no size"
exits hint 12345 --board 2x2
exits hint zzzz --board 2x2
exits hint 1010 --board 9x9
exits play --games 1 --board 9x9
exits eval --games 1 --board 9x9
exits tuples list --board 9x9
exits tuples grow --board 9x9 --out out

echo "an unknown name"
exits train "$(dirname "$0")"/../../../recipes/tiny-3x3.ini --dry-run --set network.shape=4x66 | sed 's|/.*/||'
exits train "$(dirname "$0")"/../../../recipes/tiny-3x3.ini --dry-run --set learn.lamda=1 | sed 's|/.*/||'
exits net import junk out.net --model CNN99
exits bench --neural CNN99
exits reproduce chess
exits exact table --policy chess
exits play --player simpel
exits bench --only chess

echo "what does not go together"
exits exact table
exits exact table --policy random --moves table
exits exact table --moves table
exits exact table --moves other
exits exact table --net lying.net
exits eval --games 1 --net one.net --board 3x3
exits play --games 1 --net one.net --board 3x3
exits hint 000000010 --net one.net --board 3x3
exits serve --net one.net --net one.net
exits serve --table table --table table
exits net average one.net split.net out.net
exits reproduce jaskowski-2 --budget 1h --actions 5
