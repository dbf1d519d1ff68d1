cp "$(dirname "$0")"/../networks/split.net .
cp split.net other.net
"$afterstate" serve --port 0 --net split.net --net other.net
