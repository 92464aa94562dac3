"""What a question gets: answers whose values are JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from symbolic.reasons import Miss, Proof

# Atoms are strings, numbers numbers, lists arrays; everything else is tagged: {"functor": "f", "args": [...]},
# {"string": "s"}, {"var": "X"}, {"int": "..."} beyond 2^53, {"rational": ["1", "3"]}, {"float": "inf"}.
JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"


@dataclass(frozen=True)
class Answer:
    """One solution.

    bindings: the value of each variable of the goal whose name does not begin with `_`, in the goal's order.
        Variables that are still the same share the name in {"var": name}.
    constraints: what must still hold for those variables, as Prolog text, for instance "dif(X,a)".
    why: its proof, if that was asked for.
    confidence: of the proof's steps that the program has a confidence for (`Proof.confidence`) the least: the proof is
        no likelier to be right than its weakest step. None without such steps.
    """

    bindings: dict[str, JSON]
    constraints: tuple[str, ...] = ()
    why: Proof | None = None
    confidence: float | None = None

    def to_json(self) -> dict[str, JSON]:
        """`{"bindings": {...}}`, with `"constraints": [...]`, `"confidence": P` and `"why": {...}` if there are any."""
        json: dict[str, JSON] = {"bindings": dict(self.bindings)}
        if self.constraints:
            json["constraints"] = list(self.constraints)
        if self.confidence is not None:
            json["confidence"] = self.confidence
        if self.why is not None:
            json["why"] = self.why.to_json()
        return json


@dataclass(frozen=True)
class Answers:
    """The solutions of a goal, in Prolog's order.

    answers: at most as many as were asked for. A goal that is true without variables has one with no bindings;
        one that is false has none.
    more: there are further solutions beyond the limit.
    why_not: if there are no answers, and it was asked why: how near the goal came to one.
    hints: what the goal may have been meant to say: variables that are names of the program in capital letters.
    """

    answers: tuple[Answer, ...]
    more: bool
    why_not: Miss | None = None
    hints: tuple[str, ...] = ()

    @classmethod
    def from_reply(cls, reply: dict[str, object]) -> Answers:
        """The answers that a worker wrote (`answers_reply/3` in host.pl)."""
        match reply:
            case {"answers": list(answers), "more": bool(more)}:
                miss: Any = reply.get("why_not")
                hints: Any = reply.get("hints", ())
                why_not = None if miss is None else Miss.from_json(miss)
                return cls(tuple(map(_answer, answers)), more, why_not, tuple(hints))
        raise AssertionError("host.pl wrote answers of an unknown form")

    def to_json(self) -> dict[str, JSON]:
        """`{"answers": [{"bindings": {...}}, ...], "more": false}`, with `"why_not"` and `"hints"` if there are any."""
        json: dict[str, JSON] = {"answers": [answer.to_json() for answer in self.answers], "more": self.more}
        if self.why_not is not None:
            json["why_not"] = self.why_not.to_json()
        if self.hints:
            json["hints"] = list(self.hints)
        return json


def _answer(json: dict[str, Any]) -> Answer:
    why = json.get("why")
    return Answer(
        json["bindings"],
        tuple(json.get("constraints", ())),
        None if why is None else Proof.from_json(why),
        json.get("confidence"),
    )
