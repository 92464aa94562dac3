"""What is written of an image, in one table."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from predinet_prolog.bridge.likelihoods import Likelihoods
from predinet_prolog.bridge.program import ModelRules, Program, Provenance
from predinet_prolog.bridge.writers import asp, brief, json, problog, prolog
from predinet_prolog.brought import load
from predinet_prolog.service.errors import UsageError


@dataclass(frozen=True)
class Format:
    """One way to write a program."""

    ending: str
    """Of its files."""
    written: str
    """What one file is."""
    write: Callable[[Program], str]
    """What writes it."""
    is_current: Callable[[str, Provenance, ModelRules], bool] | None = None
    """Whether a text is what would be written; where nothing tells, it is written again."""
    warnings: Callable[[Likelihoods], list[str]] | None = None
    """What the user should know of a program in it."""


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "prolog": Format(".pl", "program", prolog.write_prolog, prolog.is_current),
        "brief": Format(".pl", "program", brief.write_brief, brief.is_current),
        "json": Format(".json", "JSON file", json.write_json, json.is_current),
        "problog": Format(".problog", "ProbLog program", problog.write_problog, problog.is_current, problog.warnings),
        "asp": Format(".lp", "answer set program", asp.write_asp, asp.is_current, asp.warnings),
    }
)
"""By the name that `export --format` knows. Other packages add theirs as entry points of GROUP: a Format each."""
GROUP = "predinet_prolog.writers"


@cache
def format_named(name: str) -> Format:
    """The format of that name. Raises UsageError, which lists those there are."""
    brought: Format = FORMATS.get(name) or load(GROUP, "format", name, FORMATS, UsageError)
    return brought
