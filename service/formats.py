"""What is written of an image, in one table. What writes it is in `service.pipeline`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from predinet_prolog.bridge.program import Program
from predinet_prolog.lazily import lazily
from predinet_prolog.service.errors import UsageError

metadata = lazily("importlib.metadata")


@dataclass(frozen=True)
class Format:
    """One way to write a program."""

    ending: str
    """Of its files."""
    written: str
    """What one file is."""
    write: Callable[[Program], str] | None = None
    """Of a format that another package brings: what writes it."""


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "prolog": Format(".pl", "program"),
        "brief": Format(".pl", "program"),
        "json": Format(".json", "JSON file"),
        "problog": Format(".problog", "ProbLog program"),
        "asp": Format(".lp", "answer set program"),
    }
)
"""By the name that `export --format` knows. Other packages add theirs as entry points of GROUP: a Format each."""
GROUP = "predinet_prolog.writers"


@cache
def format_named(name: str) -> Format:
    """The format of that name. Raises UsageError, which lists those there are."""
    if name in FORMATS:
        return FORMATS[name]
    installed = {point.name: point for point in metadata.entry_points(group=GROUP)}
    if name not in installed:
        raise UsageError(f"no format {name}: there are {', '.join([*FORMATS, *installed])}")
    brought: Format = installed[name].load()
    if brought.write is None:
        raise UsageError(f"the format {name} of {installed[name].value} has nothing that writes it")
    return brought
