"""A program in brief: what it says by name, as facts alone. What a screen holds of three things."""

from collections.abc import Iterator
from itertools import compress

from predinet_prolog.bridge.clauses import nothing
from predinet_prolog.bridge.program import Column, ModelRules, Program, base_facts, plain
from predinet_prolog.bridge.relations import related
from predinet_prolog.bridge.terms import number, word
from predinet_prolog.bridge.vocabulary import documentation
from predinet_prolog.bridge.writers.header import behind_header, whole
from predinet_prolog.bridge.writers.prolog import clause_text, comments, fingerprint, origin, write_facts

_FACTS = ("object", "position", "box", "category", "score", "attribute", "track")


def write_brief(program: Program) -> str:
    """The program's objects, places, words and learned relations with their confidence as text."""
    about = comments(*origin(program, "a Prolog program in brief"))
    facts = dict(_facts(program)) | dict(_relations(program))
    modes = documentation(program.rules.dialect, tuple(facts))
    body = "\n\n".join([f"{about}\n{modes}", *facts.values()]) + "\n"
    return behind_header(body, program.provenance, _fingerprint(program.rules))


def _facts(program: Program) -> Iterator[tuple[str, str]]:
    """Of its objects alone, and neither of their parts nor of background."""
    names = set(program.facts["object"][0])
    for name, columns in plain({name: program.facts[name] for name in _FACTS if name in program.facts}).items():
        chosen = [thing in names for thing in columns[0]]
        yield f"{name}/{len(columns)}", _text(name, [list(compress(column, chosen)) for column in columns])


def _relations(program: Program) -> Iterator[tuple[str, str]]:
    """Words of things, and what was learned; what follows from places is left out."""
    likely: list[str] = []
    for relation, columns in related([("", plain(base_facts(program)))], program.rules).items():
        if not (relation.has_confidence or "value" in relation.columns):
            continue
        words: list[Column] = [
            [word(str(value)) if name == "value" else value for value in columns[name]] for name in relation.columns
        ]
        yield f"{relation.name}/{len(words)}", (text := _text(relation.name, words))
        if relation.has_confidence:
            facts = zip(text.splitlines(), columns["confidence"], strict=False)  # of none there is a clause
            likely += (f"confidence({fact[:-1]}, {number(float(share))})." for fact, share in facts)
    yield "confidence/2", "\n".join(likely) or clause_text(nothing("confidence", 2))


def _text(name: str, columns: list[Column]) -> str:
    return write_facts(name, columns) or clause_text(nothing(name, len(columns)))


def _fingerprint(rules: ModelRules) -> str:
    return f"brief {fingerprint(rules)}"


is_current = whole(_fingerprint)
