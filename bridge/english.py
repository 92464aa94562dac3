"""English for the vocabulary: what its relations, attributes and a few values are called in questions.

The phrases of relations are the column `english` of vocabulary.csv, parted by semicolons: `left of` says of X and Y
that X is left of Y, `~right of` that Y is right of X, and `to touch` is a verb. Attributes and values are in
english.csv; paraphrases.csv has what else one may say for words of the grammar.
"""

from collections.abc import Iterator
from functools import cache

from predinet_prolog.bridge.vocabulary import VOCABULARY, rows_of
from predinet_prolog.quoting.prolog import atom


@cache
def english() -> str:
    """The facts that symbolic/lexicon.pl reads."""
    pairs = [
        (phrase.split(), row["means"].split())
        for row in rows_of("paraphrases.csv")
        for phrase in row["words"].split("; ")
    ]
    pairs.sort(key=lambda pair: -len(pair[0]))  # of those that begin alike the longer one comes first
    lists = ([", ".join(map(atom, words)) for words in pair] for pair in pairs)
    said = (f"english_paraphrase([{phrase}], [{means}])." for phrase, means in lists)
    return "\n".join([*_relations(), *_values(), *said]) + "\n"


def _relations() -> Iterator[str]:
    for row in VOCABULARY:
        for phrase in row.english:
            bare = phrase.removeprefix("~")
            order = "straight" if bare == phrase else "converse"
            kind, words = ("verb", bare[3:]) if bare.startswith("to ") and " " not in bare[3:] else ("relation", bare)
            yield f"english_{kind}({atom(words)}, {row.name}, {order})."


def _values() -> Iterator[str]:
    for row in sorted(rows_of("english.csv"), key=lambda row: row["value"] != ""):
        attribute, value = row["predicate"], row["value"]
        start = f"english_value({attribute}, {atom(value)}" if value else f"english_attribute({attribute}"
        yield from (f"{start}, {atom(word)})." for word in row["words"].split("; "))
