cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net import one.net out.net --model MLP
