"""What a question gets: answers whose values are JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

# Atoms are strings, numbers numbers, lists arrays; everything else is tagged: {"functor": "f", "args": [...]},
# {"string": "s"}, {"var": "X"}, {"int": "..."} beyond 2^53, {"rational": ["1", "3"]}, {"float": "inf"}.
JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"


@dataclass(frozen=True)
class Answer:
    """One solution.

    bindings: the value of each variable of the goal whose name does not begin with `_`, in the goal's order.
        Variables that are still the same share the name in {"var": name}.
    constraints: what must still hold for those variables, as Prolog text, for instance "dif(X,a)".
    """

    bindings: dict[str, JSON]
    constraints: tuple[str, ...] = ()

    def to_json(self) -> dict[str, JSON]:
        """`{"bindings": {...}}`, with `"constraints": [...]` if there are any."""
        json: dict[str, JSON] = {"bindings": dict(self.bindings)}
        if self.constraints:
            json["constraints"] = list(self.constraints)
        return json


@dataclass(frozen=True)
class Answers:
    """The solutions of a goal, in Prolog's order.

    answers: at most as many as were asked for. A goal that is true without variables has one with no bindings;
        one that is false has none.
    more: there are further solutions beyond the limit.
    """

    answers: tuple[Answer, ...]
    more: bool

    @classmethod
    def from_reply(cls, reply: dict[str, object]) -> Answers:
        """The answers that a worker wrote (`answers_reply/3` in host.pl)."""
        match reply:
            case {"answers": list(answers), "more": bool(more)}:
                return cls(tuple(Answer(a["bindings"], tuple(a.get("constraints", ()))) for a in answers), more)
        raise AssertionError("host.pl wrote answers of an unknown form")

    def to_json(self) -> dict[str, JSON]:
        """`{"answers": [{"bindings": {...}}, ...], "more": false}`."""
        return {"answers": [answer.to_json() for answer in self.answers], "more": self.more}
