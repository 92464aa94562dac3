"""Worlds of pictures, each a package of its own: what it shows, how it is drawn, what belongs to it.

Others can add theirs: an entry point of the group `predinet_prolog.domains` that names a `domain.Pictures`.
"""

from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from predinet_prolog.brought import entry_points, load
from predinet_prolog.domains.errors import DomainError

if TYPE_CHECKING:
    from predinet_prolog.domains.domain import Pictures

GROUP = "predinet_prolog.domains"
ORIGINAL = "relations_game"
"""The domain of checkpoints that were written before there were others."""


@cache
def load_domain(name: str) -> "Pictures":
    """The domain of that name; DomainError lists the known ones."""
    if name.isidentifier() and Path(__file__).with_name(name).joinpath("domain.py").is_file():
        domain: Pictures = import_module(f"predinet_prolog.domains.{name}.domain").DOMAIN
        return domain
    brought: Pictures = load(GROUP, "domain", name, [ORIGINAL], DomainError)
    return brought


def domain_of(task: str) -> "Pictures":
    """The domain that has the task; DomainError lists the original domain's."""
    try:
        load_domain(ORIGINAL).task(task)
    except DomainError:
        for name in entry_points(GROUP):
            with suppress(DomainError):
                load_domain(name).task(task)
                return load_domain(name)
        raise
    return load_domain(ORIGINAL)


__all__ = ["ORIGINAL", "DomainError", "domain_of", "load_domain"]
