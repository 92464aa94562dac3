"""English for the vocabulary: what its relations, attributes and a few values are called in questions.

The phrases of relations are the column `english` of vocabulary.csv, parted by semicolons: `left of` says of X and Y
that X is left of Y, `~right of` that Y is right of X, and `to touch` is a verb. Attributes and values are in
english.csv.
"""

import csv
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources

from predinet_prolog.bridge.vocabulary import VOCABULARY
from predinet_prolog.quoting.prolog import atom

_ALWAYS = {"attribute", "category", "colour", "example", "zone", "on_ground", "position", "size", "same_size"}
"""What values, zones and what is the same are told by."""


@cache
def english() -> str:
    """The facts that symbolic/lexicon.pl reads."""
    return "\n".join([*_relations(), *_values()]) + "\n"


@cache
def predicates_in(text: str) -> frozenset[str]:
    """The predicates that questions with the words of `text` may ask; in what order does not matter."""
    words = set(re.findall(r"\w+", text.lower()))
    said = {row.name for row in VOCABULARY for phrase in row.english if words.issuperset(_heart(phrase))}
    return frozenset(said | _ALWAYS)


def _heart(phrase: str) -> list[str]:
    """What of a phrase is in all its forms; of a verb nothing is sure."""
    return [] if phrase.removeprefix("~").startswith("to ") else phrase.removeprefix("~").split()


def _relations() -> Iterator[str]:
    for row in VOCABULARY:
        for phrase in row.english:
            bare = phrase.removeprefix("~")
            order = "straight" if bare == phrase else "converse"
            kind, words = ("verb", bare[3:]) if bare.startswith("to ") and " " not in bare[3:] else ("relation", bare)
            yield f"english_{kind}({atom(words)}, {row.name}, {order})."


def _values() -> Iterator[str]:
    text = resources.files("predinet_prolog.bridge").joinpath("english.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    for row in rows:
        if not row["value"]:
            yield from (f"english_attribute({row['predicate']}, {atom(word)})." for word in row["words"].split("; "))
    for row in rows:
        if row["value"]:
            start = f"english_value({row['predicate']}, {atom(row['value'])}"
            yield from (f"{start}, {atom(word)})." for word in row["words"].split("; "))
