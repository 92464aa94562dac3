"""Words by showing: the clauses of a word for objects, of pictures or of scenes that are stored."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from predinet_prolog.bridge.errors import BridgeError
from predinet_prolog.bridge.program import Facts, ImageInfo, Program, Provenance, rules_of, values
from predinet_prolog.bridge.words import SHAPE, Thing, choose, thing, write_part, write_word
from predinet_prolog.neural.model import Model
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.theories import shipped_rules
from predinet_prolog.symbolic.precheck import check_text, clause_ends, without_quoted

_PART = re.compile(r"^% word ([a-z][a-z0-9_]*): .*(?:\n.*\S.*)*\n*", re.MULTILINE)
_HEADING = re.compile(r"(?:%.*\n*)*")
_ARGUMENTS = {"object": 1, "colour": 4, "coordinate": 3}
"""Of what words are made of."""
_NUMBERS = {"colour": (1, 2, 3), "coordinate": (2,)}
"""Which of them are numbers."""
Example = tuple[Program, str, bool]
"""A program, the name of an object of it, and whether the word is true of that."""


@dataclass(frozen=True)
class Word:
    """A word that was made of objects."""

    by: str
    """What it is for: "colour", "shade", "shape" or "look"."""
    goal: str
    """Asks for what it is true of: red(X), or shape(X, heart)."""
    part: str
    """Its clauses, and what they are from and for."""
    rules: str
    """The rules that it was to stand among, with it."""


def make_word(
    word: str, by: str | None, examples: Sequence[Example], source: str, rules: str, name: str = "rules"
) -> Word:
    """The word of those objects of programs that it is said to be true of, and not of the others; `by` is what it is
    for, None what they have in common. It is to stand among `rules`, which have that `name`, as one from that `source`.
    Raises UsageError that says why there is none, and ProgramError for rules that no Prolog should read."""
    program, things = examples[0][0], {True: list[Thing](), False: list[Thing]()}
    try:
        for program_of_object, object_name, holds in examples:
            things[holds].append(thing(program_of_object, object_name))
        respect = by or choose(program, things[True], things[False])
        clauses = write_word(word, respect, program, things[True], things[False])
    except BridgeError as error:
        raise UsageError(str(error)) from error
    part = write_part(word, respect, program, clauses, source)
    goal = f"shape(X, {word})" if respect == SHAPE else f"{word}(X)"
    return Word(respect, goal, part, replaced(rules, word, part, name))


def replaced(text: str, word: str, part: str, name: str = "rules") -> str:
    """The rules `text` with that `part` for the word, in the place of all clauses of word/1 and shape(_, word).

    A word's part ends with an empty line; what is of no word comes first, as it is. Shapes stand first of words: Prolog
    wants their clauses together. Raises ProgramError, in which the text has that `name`.
    """
    text = _without(word, text, name)
    start, parts = [_PART.sub("", text)], [part]
    for former in _PART.finditer(text):
        if former[1] == word:
            start.append(_HEADING.sub("", former[0], count=1))  # clauses of other words, that somebody put there
        else:
            parts.append(former[0].strip())
    parts.sort(key=lambda part_text: (": by shape" not in part_text.partition("\n")[0], part_text))
    return "\n\n".join([*(rest.strip() for rest in start if rest.strip()), *parts]) + "\n"


def _without(word: str, text: str, name: str) -> str:
    """`text` without the clauses of the word; comments before them stay."""
    check_text(name, text)
    bare = without_quoted(text, (word, "shape"))
    argument = r"(?:[^(),]|\([^()]*\))+"
    head = re.compile(rf"\s*(?P<head>{word}\s*\({argument}|shape\s*\({argument},\s*{word}\s*)\)\s*(?::-|\.\Z)")
    start = bare.find("\n") + 1 if shipped_rules(bare.partition("\n")[0].strip()) else 0
    kept = [text[:start]]
    for end in [*clause_ends(bare), len(text)]:
        match = head.match(bare, start, end)
        kept.append(text[start : match.start("head")].removesuffix("'") if match else text[start:end])
        start = end
    return "".join(kept)


def facts_of(program: Program) -> bytes:
    """JSON of where the program comes from, and of what words are made of."""
    facts = {name: [values(column) for column in program.facts.get(name, ())] for name in _ARGUMENTS}
    image = program.provenance.image
    about = {"sha256": image.sha256, "width": image.width, "height": image.height}
    return json.dumps({"model": program.provenance.model_sha256, "image": about, "facts": facts}).encode()


def program_of(facts: bytes, model: Model) -> Program:
    """What `facts_of` made its JSON of, as far as words go. Raises UsageError if it is not of this model."""
    document = json.loads(facts)
    if document["model"] != model.sha256:
        raise UsageError(f"the model {model.name} is not the one that saw the scene: send its image again")
    columns = {name: document["facts"][name] or [[]] * count for name, count in _ARGUMENTS.items()}
    facts_read: Facts = {
        name: [np.array(c, float) if at in _NUMBERS.get(name, ()) else c for at, c in enumerate(columns[name])]
        for name in columns
    }
    provenance = Provenance(model.name, model.sha256, ImageInfo("image", **document["image"]), None)
    return Program(provenance, facts_read, rules_of(model))
