# Several evaluators of a size are told apart by their names.
mkdir other
cp "$(dirname "$0")"/../networks/split.net .
cp split.net other/split.net
"$afterstate" serve --port 0 --net split.net --net other/split.net
