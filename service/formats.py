"""What is written of an image, in one table. What writes it is in `service.pipeline`."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Format:
    """One way to write a program."""

    ending: str
    """Of its files."""
    written: str
    """What one file is."""


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "prolog": Format(".pl", "program"),
        "brief": Format(".pl", "program"),
        "json": Format(".json", "JSON file"),
        "problog": Format(".problog", "ProbLog program"),
        "asp": Format(".lp", "answer set program"),
    }
)
"""By the name that `export --format` knows."""
