cp "$(dirname "$0")"/../networks/*.net .
"$afterstate" net shrink bits.net out.net | grep -v ^file
"$afterstate" net info out.net | sed -n 's/^file.*weights as/weights as/p; /touched/p; /notes/p; /16bit/p'
