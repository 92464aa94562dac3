#!/bin/sh
# An image becomes a Prolog program, and the program answers. Run by 'make demo', which gives the command to use.
set -eu
command=${1:-predinet-prolog}
here=$(dirname "$0")
image=$here/between/image.png
out=out/demo
program=$out/between.pl
mkdir -p "$out"

say() { printf '\n$ %s\n' "$*"; }

say "predinet-prolog export $image -o $program"
"$command" export "$image" -o "$program"
# The whole program is some hundreds of facts: here its header, its clauses, and of each kind of fact the first three.
awk -F'(' '/^r[0-9]+\(/ && !/^r[01]\(/ { next }
           /^[a-z].*\)\.$/ && !/:-/ || /^holds/ { if (++seen[$1] == 4) print "% ... more of " $1; if (seen[$1] > 3) next }
           { print }' "$program" | cat -s
printf '%% (%s lines in all, in %s)\n' "$(wc -l < "$program" | tr -d ' ')" "$program"

say "predinet-prolog query $program 'same(X, Y)'"
"$command" query "$program" 'same(X, Y)'

say "predinet-prolog query $image 'flanked_by_twins(Middle, X, Y)' --rules relations_game"
"$command" query "$image" 'flanked_by_twins(Middle, X, Y)' --rules relations_game

say "predinet-prolog show $image -o $out/between.png"
"$command" show "$image" -o "$out/between.png"

printf '\nNow ask it yourself:\n  swipl %s\n  ?- lies_between(M, X, Y), same(X, Y).\nFor predinet-prolog in this shell: . .venv/bin/activate\n' "$program"
