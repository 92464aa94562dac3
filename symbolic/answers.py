"""What a question gets: answers whose values are JSON, as things are or would be if they looked otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from predinet_prolog.lazily import lazily
from predinet_prolog.symbolic.errors import ForbiddenError, SymbolicError, UnknownPredicateError
from predinet_prolog.symbolic.replies import Told, error_from_reply

if TYPE_CHECKING:
    from predinet_prolog.symbolic.reasons import Miss, Proof

reasons = lazily("predinet_prolog.symbolic.reasons")  # most questions ask for none

# Atoms are strings, numbers numbers, lists arrays; everything else is tagged: {"functor": "f", "args": [...]},
# {"string": "s"}, {"var": "X"}, {"int": "..."} beyond 2^53, {"rational": ["1", "3"]}, {"float": "inf"}.
JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"


@dataclass(frozen=True)
class Answer(Told):
    """One solution.

    bindings: the value of each variable of the goal whose name does not begin with `_`, in the goal's order, but for
        those that stand in what is denied or counted alone: `X` of `aggregate_all(count, p(X), N)`.
        Variables that are still the same share the name in {"var": name}.
    constraints: what must still hold for those variables, as Prolog text, for instance "dif(X,a)".
    text: the values as Prolog writes them, if that was asked for.
    confidence: of the proof's steps that the program has a confidence for (`Proof.confidence`) the least: the proof is
        no likelier to be right than its weakest step. None without such steps.
    why: its proof, if that was asked for.
    """

    parts = MappingProxyType({"why": lambda: reasons.Proof})

    bindings: dict[str, JSON]
    constraints: tuple[str, ...] = ()
    text: dict[str, str] | None = None
    confidence: float | None = None
    why: Proof | None = None


@dataclass(frozen=True)
class Answers(Told):
    """The solutions of a goal, in Prolog's order.

    answers: at most as many as were asked for. A goal that is true without variables has one with no bindings;
        one that is false has none.
    more: there are further solutions beyond the limit.
    why_not: if there are no answers, and it was asked why: how near the goal came to one.
    hints: what the goal may have been meant to say: variables that are names of the program in capital letters.
    """

    parts = MappingProxyType({"answers": lambda: Answer, "why_not": lambda: reasons.Miss})

    answers: tuple[Answer, ...]
    more: bool
    why_not: Miss | None = None
    hints: tuple[str, ...] = ()


class EachAnswers(NamedTuple):
    """What a goal gets of many pictures, in their order: the answers, or what went wrong in it.

    variables: those of the goal that answers bind, empty where every picture broke its process.
    """

    pictures: tuple[Answers | SymbolicError, ...]
    variables: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()

    @classmethod
    def from_reply(cls, reply: Mapping[str, Any], seconds: float) -> EachAnswers:
        """What a worker wrote, `seconds` being the limit of each. Raises the errors that are the question's own, and
        so every picture's."""
        pictures = tuple(
            error_from_reply(reply_of["error"], seconds) if "error" in reply_of else Answers.from_json(reply_of)
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

    parts = MappingProxyType({"before": lambda: Answers, "changes": lambda: Change, "after": lambda: Answers})

    before: Answers
    changes: tuple[Change, ...]
    true: tuple[str, ...]
    false: tuple[str, ...]
    after: Answers
    hints: tuple[str, ...] = ()


@dataclass(frozen=True)
class LeastChanges(Told):
    """The least changes that give a goal an answer, or take all away.

    before: the answers as it was seen.
    wanted: whether it had no answer, and is to have one.
    least: the first ways to have it so, each as many changes together, as few as can be; empty if two do not do it.
    more: there are further ways of so many changes beyond the limit.
    hints: as those of Answers.
    """

    parts = MappingProxyType({"before": lambda: Answers, "least": lambda: Change})

    before: Answers
    wanted: bool
    least: tuple[tuple[Change, ...], ...]
    more: bool
    hints: tuple[str, ...] = ()
