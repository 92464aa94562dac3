"""A trained finder and comparator, and what is known of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from domains import load_domain
from domains.domain import Domain
from neural.checkpoint import Model, Weights, load_model


@dataclass(frozen=True)
class GlimpseConfig:
    """What fixes the shape of both networks."""

    groups: Mapping[str, int]
    """How many relations each group has, in their order: colour, shape, look."""

    @property
    def relations(self) -> int:
        """j, of all groups together."""
        return sum(self.groups.values())

    def of_group(self, name: str) -> tuple[int, ...]:
        """The numbers of a group's relations."""
        names = list(self.groups)
        first = sum(self.groups[before] for before in names[: names.index(name)])
        return tuple(range(first, first + self.groups[name]))


@dataclass(frozen=True)
class GlimpseModel:
    """A trained finder and comparator."""

    name: str
    """A shipped model's name, else the file's name without its ending."""
    path: Path
    config: GlimpseConfig
    weights: Weights
    domain_name: str
    sha256: str
    """Of the checkpoint's bytes, 64 hexadecimal digits."""

    @cached_property
    def domain(self) -> Domain:
        """The world of its pictures; DomainError if it is not installed."""
        return load_domain(self.domain_name)


def load_any(name_or_path: str | Path) -> Model | GlimpseModel:
    """The model of either kind of that name or in that file; errors as those of `load_model`."""
    return load_model(name_or_path)
