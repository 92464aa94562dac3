"""Writes what docs and page have from the program's own tables: bridge/vocabulary.csv and symbolic/allowed.pl.

python scripts/tables.py
"""

import json
from pathlib import Path

from predinet_prolog.bridge.vocabulary import SOURCES, VOCABULARY
from predinet_prolog.symbolic.built_ins import built_ins

ROOT = Path(__file__).parents[1]
COMPLETION, VOCABULARY_PAGE, BUILT_INS_PAGE = (
    ROOT / name for name in ("service/page/vocabulary.json", "docs/vocabulary.md", "docs/built-ins.md")
)
INTRODUCTION = """\
# The vocabulary of programs

Written by `python scripts/tables.py`. Arguments are `+` given, `-` told or `?` either.
In a knowledge base every predicate has the image as its first argument; the propositions are left out there.
Programs of *windows* are those of a model for pictures of one size; of *glimpses*, for pictures of any size;
*given* are those whose things [a detector told](own-pictures.md#boxes-of-ones-own); of *episodes*, those of
[played games](agents.md), where what is so in a frame is `at(T, Fact)`. English behind … is said of Y.

| predicate | arguments | meaning | from | symmetric | in knowledge bases | programs | in English |
|---|---|---|---|---|---|---|---|
"""


def main() -> None:
    for path, text in texts().items():
        path.write_text(text, encoding="utf-8")


def texts() -> dict[Path, str]:
    """What is written, by its file."""
    return {COMPLETION: completion(), VOCABULARY_PAGE: vocabulary_page(), BUILT_INS_PAGE: built_ins_page()}


def completion() -> str:
    """What the page's completion offers: {"object(X)": "X is a thing in …", …}. It shows pictures, not games."""
    listed = [predicate for predicate in VOCABULARY if predicate.source != "base" and predicate.programs != "episodes"]
    entries = {predicate.template: predicate.meaning.replace(": {place}", "") for predicate in listed}
    return json.dumps(entries, indent=0) + "\n"


def vocabulary_page() -> str:
    lines = []
    for predicate in VOCABULARY:
        cells = [
            f"`{predicate.template}`",
            ", ".join(f"{argument.mode}{argument.name}: {argument.type}" for argument in predicate.arguments),
            predicate.meaning.format(place="see the header of a program"),
            SOURCES[predicate.source],
            ", ".join(predicate.arguments[place].name for place in predicate.symmetric),
            "yes" if predicate.in_bases else "",
            predicate.programs or "all",
            "; ".join(predicate.english).replace("~", "…"),
        ]
        lines.append(f"| {' | '.join(cells)} |\n")
    return INTRODUCTION + "".join(lines)


def built_ins_page() -> str:
    """The page, its groups as the table has them: what stands before the first is the page's own."""
    introduction = BUILT_INS_PAGE.read_text(encoding="utf-8").partition("\n## ")[0]
    groups = [
        f"\n## {group.name.capitalize()}\n\n{group.sentence}\n\n"
        + ", ".join(f"`{predicate}`" for predicate in group.predicates)
        + "\n"
        for group in built_ins()
    ]
    return introduction + "".join(groups)


if __name__ == "__main__":
    main()
