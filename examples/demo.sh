#!/bin/sh
# A picture is asked, and a board becomes a program. Run by 'make demo', which gives the command to use.
set -eu
command=${1:-predinet-prolog}
here=$(dirname "$0")
picture=$here/own_pictures/pictures/buttons.jpg
board=$here/between/image.png
out=out/demo
mkdir -p "$out"

run() {
    printf '\n$ predinet-prolog'
    for word; do case $word in *[!A-Za-z0-9_./-]*) printf " '%s'" "$word" ;; *) printf ' %s' "$word" ;; esac; done
    printf '\n'
    "$command" "$@"
}

run query "$picture" 'same(X, Y), larger(X, Y)'
run why "$picture" 'same(X, Y), larger(X, Y)'
run show "$picture" -o "$out/buttons.png"
run export "$board" --brief -o "$out/board.pl"
sed 1d "$out/board.pl"
run export "$board" -o "$out/between.pl"
run query "$out/between.pl" 'flanked_by_twins(Middle, X, Y)' --rules relations_game

printf '\nNow ask it yourself:\n  swipl %s\n  ?- lies_between(M, X, Y), same(X, Y).\nFor predinet-prolog in this shell: . .venv/bin/activate\n' "$out/between.pl"
