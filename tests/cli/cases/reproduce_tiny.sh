# Two rows and two seeds on 2x3, side by side, the third row too big; a second call has nothing to do and says the same.
groups=$(dirname "$0")/../groups
mask() { sed -E 's/, [0-9.]+ [mu]?s$/, N s/; s/needs .*/needs N/'; }
"$afterstate" reproduce "$groups"/tiny.ini --out here --actions 20000 --threads 2 --quiet | mask | tee first
"$afterstate" reproduce "$groups"/tiny.ini --out here --quiet | mask | cmp - first
ls here here/pairs-s2
cut -d , -f 1-8 here/table.csv | head -n 4
head -c 60 here/curves-1.svg
