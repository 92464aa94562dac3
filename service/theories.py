"""Rules that come along, by the name that stands for them."""

from difflib import get_close_matches
from pathlib import Path

from symbolic import Rules, theory, theory_path

NAME = theory_path().stem


def shipped_rules(name: str) -> Rules | None:
    """The theory of the Relations Game for `relations_game`; None for any other text."""
    return theory() if name == NAME else None


def close_name(name: str) -> str | None:
    """The name that was probably meant by one that stands for nothing; None if none is like it."""
    return next(iter(get_close_matches(name.removesuffix(Path(name).suffix), [NAME], cutoff=0.8)), None)
