"""The first line of a program's text: what it is of, for programs that read it. A JSON object in a comment."""

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from predinet_prolog.lazily import lazily

if TYPE_CHECKING:
    from predinet_prolog.bridge.program import ModelRules, Provenance

prolog = lazily("predinet_prolog.quoting.prolog")
START = "%! "
LONGEST = 2**20
"""Characters; no line that we write is as long."""


def as_module(text: str, name: str) -> str:
    """A program's text as that of a module, whose predicates are called as NAME:GOAL."""
    header, _, body = text.partition("\n")
    return f"{header}\n:- module({prolog.atom(name)}, []).\n{body}"


def behind_header(body: str, provenance: "Provenance", rules: str) -> str:
    """A program's whole text, of which `body` is all but the first line, whose JSON is ASCII, whatever the names in it.
    `rules` is a fingerprint."""
    return f"{write_header({**provenance.to_json(), 'rules': rules, 'length': len(body)})}\n{body}"


def write_header(about: Mapping[str, object]) -> str:
    return f"{START}{json.dumps(about)}"


def read_header(text: str) -> dict[str, object]:
    """What the first line of `text` says, which may be anybody's; empty if it has none."""
    if not text.startswith(START):
        return {}
    try:
        document = json.loads(text[len(START) : LONGEST].partition("\n")[0])
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def whole(fingerprint: "Callable[[ModelRules], str]") -> "Callable[[str, Provenance, ModelRules], bool]":
    """What says whether a text is all that was written of the same model, image file, looks and boxes, with rules of
    the same `fingerprint`."""

    def is_current(text: str, provenance: "Provenance", rules: "ModelRules") -> bool:
        header, length = read_header(text), len(text) - text.find("\n") - 1
        return provenance.is_of(header) and (header.get("length"), header.get("rules")) == (length, fingerprint(rules))

    return is_current


def warnings_of(text: str) -> tuple[str, ...]:
    """The warnings that came with the program `text`, one printable line each, whoever wrote it."""
    warnings = read_header(text).get("warnings")
    lines = [warning for warning in warnings if isinstance(warning, str)] if isinstance(warnings, list) else []
    return tuple("".join(letter if letter.isprintable() else "\ufffd" for letter in line) for line in lines)
