"""What a question in English gets: the goal that it means, and its answer."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from predinet_prolog.symbolic.errors import EnglishError, SymbolicError
from predinet_prolog.symbolic.question import Question
from predinet_prolog.symbolic.replies import error_from_reply

_LISTED = 40
"""Words that an error names at most."""
_NOUNS = ("thing", "object", "shape")
"""What all things can be called."""
_LIKENESS = 0.75
"""Of a word and one that may be meant by it, from 0 to 1: hello is no yellow."""
_KINDS = (
    "how many things are so, whether any or all are, which are, what colour or shape one has, whether two have the "
    "same, whether there are more of these than of those"
)


@dataclass(frozen=True)
class Reading:
    """One way to read a question."""

    goal: str
    """In Prolog."""
    answer: str | None
    """yes, no, a number, a value, names of things, or none."""
    fault: str | None = None
    """What it takes for granted and is not so; there is no answer then."""


@dataclass(frozen=True)
class Replied:
    """What a question in English gets."""

    readings: tuple[Reading, ...]
    """One, unless a word means several things."""

    @property
    def reading(self) -> Reading:
        """The one that counts. Raises EnglishError where it takes for granted what is not so, and where readings have
        different answers."""
        sound = [reading for reading in self.readings if reading.fault is None]
        if not sound:
            raise EnglishError(str(self.readings[0].fault))
        if len({reading.answer for reading in sound}) > 1:
            ways = "; ".join(f"{reading.goal} gives {reading.answer}" for reading in sound)
            raise EnglishError(f"the question can be read in {len(sound)} ways: {ways}")
        return sound[0]

    def to_json(self) -> dict[str, Any]:
        """`{"answer", "goal"}`."""
        return {"answer": self.reading.answer, "goal": self.reading.goal}


def replied(reply: bytes, question: Question) -> list[list[Replied | SymbolicError]]:
    """What a worker wrote of questions in English. Raises what is wrong with the only one."""
    replies = [
        [_replied(text, answer, question.seconds) for text, answer in zip(texts, picture, strict=True)]
        for (_, *texts), picture in zip(question.beside, json.loads(reply)["pictures"], strict=True)
    ]
    if sum(map(len, replies)) == 1 and isinstance(fault := replies[0][0], SymbolicError):
        raise fault
    return replies


def only(replies: Sequence[Sequence[Replied | SymbolicError]]) -> Replied:
    """What the only question gets."""
    ((reply,),) = replies
    assert isinstance(reply, Replied), "what is wrong with it was raised"
    return reply


def _replied(question: str, reply: Mapping[str, Any], seconds: float) -> Replied | SymbolicError:
    if "error" in reply:
        return error_from_reply(reply["error"], seconds)
    if "unread" in reply:
        return _unread(question, reply["unread"])
    readings = [Reading(reading["goal"], reading.get("answer"), reading.get("fault")) for reading in reply["readings"]]
    return Replied(tuple(dict.fromkeys(readings)))


def _unread(question: str, said: Mapping[str, Any]) -> EnglishError:
    word, before, rest = (said.get(key, "") for key in ("word", "before", "rest"))
    if "empty" in said:
        return EnglishError(f"the question is empty: ask {_KINDS}")
    if "advice" in said:
        return EnglishError("the question cannot be read: " + said["advice"].replace(" 's", "'s"))
    if re.search(r"\w\(|:-|\\\+", question):
        return EnglishError(f"unknown word '{word or rest}': a goal in Prolog is asked by query, as it is")
    if untold := said.get("untold"):
        return EnglishError(f"{word and f'unknown word {word!r}: '}the program {untold}")
    if not word:
        place = f" from {rest!r} on" if before and rest else f": it ends too early, after {before!r}" if before else ""
        return EnglishError(f"the question cannot be read{place}: ask {_KINDS}")
    if said["foreign"]:
        most = "as are most of them: questions are read in English, about the things of a picture"
        return EnglishError(f"unknown word {word!r}, {most}")
    if close := get_close_matches(word, said["words"], n=3, cutoff=_LIKENESS):
        return EnglishError(f"unknown word {word!r}: did you mean {' or '.join(close)}?")
    unknown = ", ".join([f"unknown word{'s' * bool(said['more'])} {word!r}", *map(repr, said["more"][:3])])
    things, relations = _listed([*_NOUNS, *said["words"]]), said["relations"]
    photograph = "larger than" in relations and "away from" not in relations  # no board, and nothing was told
    return EnglishError(
        f"{unknown}: the words for things are {things}; for how they lie, {_listed(relations)}",
        word * photograph or None,
    )


def _listed(words: Sequence[str]) -> str:
    return (", ".join(words[:_LISTED]) or "none") + f" and {len(words) - _LISTED} more" * (len(words) > _LISTED)
