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
# The whole program is some hundreds of facts: its header, and of each kind of fact the first three.
awk -F'(' '/^%/ || /^$/ { print; next }
           /^[a-z]/ { key = $1; if (seen[key]++ < 3) print; else if (seen[key] == 4) print "% ... more " key "(...)"; next }
           { print }' "$program"
printf '%% (%s lines in all, in %s)\n' "$(wc -l < "$program" | tr -d ' ')" "$program"

say "predinet-prolog query $program 'same(X, Y)'"
"$command" query "$program" 'same(X, Y)'

say "predinet-prolog query $image 'flanked_by_twins(Middle, X, Y)' --rules relations_game"
"$command" query "$image" 'flanked_by_twins(Middle, X, Y)' --rules relations_game

say "predinet-prolog show $image -o $out/between.png"
"$command" show "$image" -o "$out/between.png"

printf '\nNow ask it yourself:\n  swipl %s\n  ?- lies_between(M, X, Y), same(X, Y).\n' "$program"
