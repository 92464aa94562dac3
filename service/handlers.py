"""What is done with a request, whoever brings it: the HTTP service, or the page that needs none."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from predinet_prolog.neural.model import Model
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.naming import Word, make_word, program_of
from predinet_prolog.service.teaching import signatures
from predinet_prolog.symbolic.learning.observing import defined

MOST_CHARACTERS = 32 * 2**20
"""Of the programs of a lesson: 200 boards of nine objects have a third of that."""


@dataclass(frozen=True)
class AskedProgram:
    """What a question to a picture needs of it."""

    program: str
    model: str
    """Name of the model that looked."""
    notes: tuple[str, ...]
    """What was done to the image, such as resizing."""
    warnings: tuple[str, ...]
    """Why what was seen may mean nothing."""
    categories: tuple[str, ...]
    """All that the file names which tells of its things: questions in English know them."""


@dataclass(frozen=True)
class SceneContent(AskedProgram):
    """What is kept of an image: all that the service tells of a scene but its id and its times."""

    brief: str
    """The program as `export --brief` writes it."""
    facts: bytes
    """JSON of what words are made of; see naming.facts_of."""
    details: bytes
    """JSON."""
    masks: bytes
    """JSON."""
    image: bytes
    """PNG: the pixels that the network saw."""


def reply_of(answers: bytes, asked: AskedProgram, said: Mapping[str, Any]) -> bytes:
    """The reply to a question: Prolog's own JSON, not parsed, with what is `said` of it and known of its picture."""
    about = {**said, "model": asked.model, "notes": list(asked.notes), "warnings": list(asked.warnings)}
    return answers[:-1] + b"," + json.dumps(about, separators=(",", ":"), ensure_ascii=False).encode()[1:]


def lesson_of(lesson: Mapping[str, Any], program_of: Callable[[str], str]) -> dict[str, Any]:
    """What service.learning reads, of a request as api/schemas.py has it; `program_of` gives a scene's program. Raises
    what that raises, and UsageError for too much of them."""
    examples = lesson["examples"]
    scenes = [*(example["scene"] for example in examples), *lesson["unlabelled"]]
    programs = list[str]()
    for scene in scenes:
        programs.append(program_of(scene))
        if sum(map(len, programs)) > MOST_CHARACTERS:
            raise UsageError("the programs of these scenes are too large together: send fewer scenes")
    return {
        "scenes": scenes,
        "programs": programs,
        "labels": [example["label"] for example in examples],
        "tasks": [example.get("task") for example in examples],
        # What all of them can tell: they may be of several models.
        "signatures": [*map(asdict, signatures(set[str].intersection(*map(defined, programs))))],
        "options": {"only": [], **lesson["options"]},
        "rules": lesson["rules"],
    }


def word_of(naming: Mapping[str, Any], facts: bytes, model: Model) -> Word:
    """The word that the request, as api/schemas.py has it, is for; `facts` are those of `naming.facts_of`. Raises what
    `make_word` does, and UsageError if they are not of this model."""
    word, holding, failing = naming["word"], naming["objects"], naming.get("others", [])
    if both := set(holding) & set(failing):
        raise UsageError(f"{min(both)} was said to be {word} and not to be")
    program = program_of(facts, model)
    examples = [(program, name, True) for name in holding] + [(program, name, False) for name in failing]
    objects = ", ".join([*holding, *(f"not {name}" for name in failing)])
    source = f"{objects} of the picture {program.provenance.image.sha256[:16]}"
    return make_word(word, naming["by"], examples, source, naming["rules"])


def named(word: Word, answers: bytes) -> dict[str, Any]:
    """The reply to it: `answers` are those of the word's goal."""
    objects = [answer["bindings"]["X"] for answer in json.loads(answers)["answers"]]
    return {"rules": word.rules, "by": word.by, "goal": word.goal, "objects": objects}
