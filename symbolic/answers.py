"""What a question gets: answers whose values are JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from predinet_prolog.symbolic.errors import ForbiddenError, SymbolicError, UnknownPredicateError
from predinet_prolog.symbolic.reasons import Miss, Proof, Told
from predinet_prolog.symbolic.replies import error_from_reply

# Atoms are strings, numbers numbers, lists arrays; everything else is tagged: {"functor": "f", "args": [...]},
# {"string": "s"}, {"var": "X"}, {"int": "..."} beyond 2^53, {"rational": ["1", "3"]}, {"float": "inf"}.
JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"


@dataclass(frozen=True)
class Answer(Told):
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
        """`{"bindings": {...}}`, and what else there is; the proof, which is long, comes last."""
        fields = super().to_json()
        return {name: fields[name] for name in ("bindings", "constraints", "confidence", "why") if name in fields}


@dataclass(frozen=True)
class Answers(Told):
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
    def from_reply(cls, reply: dict[str, Any]) -> Answers:
        """The answers that a worker wrote (`ask/6` in host.pl)."""
        miss = reply.get("why_not")
        reasons = {"why_not": miss and Miss.from_json(miss), "hints": tuple(reply.get("hints", ()))}
        return cls(**{**reply, "answers": tuple(map(_answer, reply["answers"])), **reasons})

    def to_json(self) -> dict[str, JSON]:
        """`{"answers": [{"bindings": {...}}, ...], "more": false}`, with `"why_not"` and `"hints"` if there are any."""
        return {"answers": [], **super().to_json()}


@dataclass(frozen=True)
class EachAnswers:
    """What a goal gets of many pictures, in their order: the answers, or what went wrong in it.

    variables: those of the goal that answers bind, empty where every picture broke its process.
    """

    pictures: tuple[Answers | SymbolicError, ...]
    variables: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()

    @classmethod
    def from_reply(cls, reply: dict[str, Any], seconds: float) -> EachAnswers:
        """What a worker wrote (`ask_each/6` in host.pl), `seconds` being the limit of each. Raises the errors that are
        the question's own, and so every picture's."""
        pictures = tuple(
            error_from_reply(reply_of["error"], seconds) if "error" in reply_of else Answers.from_reply(reply_of)
            for reply_of in reply["pictures"]
        )
        for picture in pictures:
            if isinstance(picture, UnknownPredicateError | ForbiddenError):
                raise picture
        return cls(pictures, tuple(reply["variables"]), tuple(reply["hints"]))

    @classmethod
    def joined(cls, parts: Sequence[EachAnswers]) -> EachAnswers:
        """Of some pictures after the others."""
        whole = max(parts, key=lambda part: len(part.variables))
        return cls(tuple(picture for part in parts for picture in part.pictures), whole.variables, whole.hints)


def _answer(json: dict[str, Any]) -> Answer:
    why = json.get("why")
    details = {"constraints": tuple(json.get("constraints", ())), "why": why and Proof.from_json(why)}
    return Answer(**{**json, **details})
