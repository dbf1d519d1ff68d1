# A reader that leaves is no mistake: no message, only the exit code. The pipe's only reader closes before the start.
mkfifo pipe
exec 3<>pipe 4>pipe 3>&-
"$afterstate" --help >&4
