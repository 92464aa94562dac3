"""Rules that come along, by the name that stands for them."""

from difflib import get_close_matches
from pathlib import Path

from symbolic import Rules, theory, theory_path

NAME = theory_path().stem


def shipped_rules(name: str) -> Rules | None:
    """The theory of the Relations Game for `relations_game`; None for any other text."""
    return theory() if name == NAME else None


def sent_rules(text: str) -> tuple[Rules, ...]:
    """The rules in a text that came with a question: clauses, and before them, on a line of its own, the name of the
    theory that comes along if it is wanted. What is said of the clauses has the line of the text."""
    if not text or text.isspace():
        return ()
    first, _, rest = text.lstrip().partition("\n")
    named = shipped_rules(first.strip())
    if named is None:
        return (Rules("rules", text),)
    if not rest or rest.isspace():
        return (named,)
    return named, Rules("rules", "\n" * (text.count("\n") - rest.count("\n")) + rest)


def close_name(name: str) -> str | None:
    """The name that was probably meant by one that stands for nothing; None if none is like it."""
    return next(iter(get_close_matches(name.removesuffix(Path(name).suffix), [NAME], cutoff=0.8)), None)
