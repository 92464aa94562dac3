"""Questions about pictures with their answers, as CLEVR's generator writes them, and how many are answered rightly."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from predinet_prolog.bridge.matching import match
from predinet_prolog.bridge.program import Program, values
from predinet_prolog.domains.detections import Detected
from predinet_prolog.domains.errors import DomainError, naming

FAMILIES = ("count", "exist", "compare_number", "query", "compare_attribute")
_NUMBERS = ("equal_integer", "less_than", "greater_than")


@dataclass(frozen=True)
class AskedQuestion:
    image: str
    """Name of the picture's file."""
    text: str
    program: Sequence[Mapping[str, Any]]
    """Its functional program; empty where the file tells none."""
    answer: str
    """yes, no, a number or a word."""

    @property
    def family(self) -> str:
        """One of FAMILIES, by what its program does last; empty where there is none."""
        if not self.program:
            return ""
        last = str(self.program[-1].get("function") or self.program[-1].get("type"))
        if last in _NUMBERS:
            return "compare_number"
        kind = last.partition("_")[0]
        return "compare_attribute" if kind == "equal" else kind


def read_questions(path: Path) -> list[AskedQuestion]:
    """The questions of a file `{"questions": [{"image_filename", "question", "program", "answer"}]}`. DomainError for
    what is none, and for questions without answers."""
    with naming(path):
        content = json.loads(path.read_text(encoding="utf-8"))
        rows = content.get("questions") if isinstance(content, dict) else None
        if not isinstance(rows, list) or not rows:
            raise DomainError("questions must be a list, as CLEVR writes it, of one question at least")
        return [_question(row, f"questions[{number}]") for number, row in enumerate(rows)]


def _question(row: Any, place: str) -> AskedQuestion:
    for name in ("image_filename", "question"):
        if not isinstance(row, dict) or not isinstance(row.get(name), str):
            raise DomainError(f"{place}: {name} must be text")
    if row.get("answer") is None:
        raise DomainError(f"{place}: it has no answer to compare with: take a file that tells answers")
    answer, program = row["answer"], row.get("program") or []
    text = ("no", "yes")[answer] if isinstance(answer, bool) else str(answer)
    return AskedQuestion(row["image_filename"], row["question"], program, text)


@dataclass(frozen=True)
class QuestionEvaluation:
    right: Mapping[str, int]
    """By family."""
    asked: Mapping[str, int]
    exact_scenes: float | None
    """Share of pictures all whose things are told with all attributes, and no other; None: the truth is not known."""
    wrong: Mapping[str, int]
    """Of what was answered wrongly, by cause: answer, or why there was none."""

    @property
    def n(self) -> int:
        return sum(self.asked.values())

    @property
    def accuracy(self) -> float:
        return sum(self.right.values()) / self.n

    @property
    def families(self) -> dict[str, float]:
        """The same by family, of those that were asked."""
        return {name: self.right.get(name, 0) / self.asked[name] for name in FAMILIES if self.asked.get(name)}

    def to_json(self) -> dict[str, Any]:
        names = ("n", "accuracy", "families", "exact_scenes", "wrong")
        return {name: dict(value) if isinstance(value := getattr(self, name), Mapping) else value for name in names}


def judged(
    questions: Sequence[AskedQuestion], answers: Iterable[tuple[str | None, str]], exact: Sequence[bool]
) -> QuestionEvaluation:
    """The evaluation of the questions by their answers, each with the cause if there is none, and by whether the scenes
    are exact, as far as that is known."""
    right, asked, wrong = Counter[str](), Counter[str](), Counter[str]()
    for question, (answer, cause) in zip(questions, answers, strict=True):
        asked[question.family] += 1
        if answer == question.answer:
            right[question.family] += 1
        else:
            wrong["answer" if answer is not None else cause] += 1
    return QuestionEvaluation(right, asked, sum(exact) / len(exact) if exact else None, wrong)


def is_exact(program: Program, truth: Detected) -> bool:
    """Whether the program's things are those that there truly are, with all their attributes."""
    names = list(map(str, program.facts["object"][0]))
    if len(names) != len(truth.things) or not names:
        return len(names) == len(truth.things)
    boxes = np.array([values(column) for column in program.facts["box"][1:]]).T[: len(names)]
    attributes: dict[object, dict[object, object]] = {name: {} for name in names}
    for name, key, value in zip(*program.facts.get("attribute", ()), strict=True):
        attributes[name][key] = value
    pairs = match(boxes, np.array([thing.box for thing in truth.things]))
    return len(pairs) == len(names) and all(attributes[names[a]] == dict(truth.things[b].attributes) for a, b in pairs)
