"""What would be so if things looked otherwise, as worker processes write it (suppose.pl)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from predinet_prolog.symbolic.answers import JSON, Answers
from predinet_prolog.symbolic.reasons import Told


@dataclass(frozen=True)
class Change(Told):
    """An object looks otherwise.

    object: its name.
    attribute: in what, such as colour; `look` where the program knows no attributes.
    like: the object that it takes this from, as it was seen; None: it gets one that no object has.
    """

    object: str
    attribute: str
    like: str | None = None


@dataclass(frozen=True)
class Supposition(Told):
    """The answers of a goal as things are, and if facts were true that need not be.

    before: the answers as it was seen; after: if the facts were true, with proofs, or why there is none.
    changes: what changes if they are.
    true, false: facts of sameness that become true, and false; of those that hold both ways round one.
    hints: as those of Answers.
    """

    before: Answers
    changes: tuple[Change, ...]
    true: tuple[str, ...]
    false: tuple[str, ...]
    after: Answers
    hints: tuple[str, ...] = ()

    @classmethod
    def from_reply(cls, reply: dict[str, Any]) -> Supposition:
        """What a worker wrote (`suppose/6` in host.pl)."""
        answers = {name: Answers.from_reply(reply[name]) for name in ("before", "after")}
        texts = {name: tuple(reply.get(name, ())) for name in ("true", "false", "hints")}
        return cls(**{**reply, **answers, **texts, "changes": _changes(reply["changes"])})

    def to_json(self) -> dict[str, JSON]:
        """All fields; `hints` if there are any."""
        return {"before": {}, "changes": [], "true": [], "false": [], **super().to_json()}


@dataclass(frozen=True)
class LeastChanges(Told):
    """The least changes that give a goal an answer, or take all away.

    before: the answers as it was seen.
    wanted: whether it had no answer, and is to have one.
    least: the first ways to have it so, each as many changes together, as few as can be; empty if two do not do it.
    more: there are further ways of so many changes beyond the limit.
    hints: as those of Answers.
    """

    before: Answers
    wanted: bool
    least: tuple[tuple[Change, ...], ...]
    more: bool
    hints: tuple[str, ...] = ()

    @classmethod
    def from_reply(cls, reply: dict[str, Any]) -> LeastChanges:
        """What a worker wrote (`suppose/6` in host.pl)."""
        least = tuple(map(_changes, reply["least"]))
        answers = {"before": Answers.from_reply(reply["before"]), "hints": tuple(reply.get("hints", ()))}
        return cls(**{**reply, "least": least, **answers})

    def to_json(self) -> dict[str, JSON]:
        """All fields; `hints` if there are any."""
        return {"before": {}, "wanted": False, "least": [], **super().to_json()}


def _changes(reply: list[dict[str, str]]) -> tuple[Change, ...]:
    return tuple(Change(**change) for change in reply)
