cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net fold redundant.net out.net --json | sed 's/"file_bytes":.*/"file_bytes": masked,/'
