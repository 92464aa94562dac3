"""What an evaluation gives: answers, faults of scenes, counts of what was told, and all of them together."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, astuple, dataclass, field
from functools import cached_property

from predinet_prolog.symbolic import JSON


@dataclass(frozen=True)
class Faults:
    """What a scene's objects have wrong. A scene is exact if all are 0."""

    missing: int
    """True objects that no object symbol shows; those that a merged symbol stands for are among them."""
    spurious: int
    """Object symbols that show no true object, or one that another shows better, and are not merged."""
    merged: int
    """Object symbols that show no true object and whose boxes overlap those of at least two that are missing."""

    @property
    def total(self) -> int:
        return self.missing + self.spurious + self.merged

    def __str__(self) -> str:
        return f"{self.missing} missing, {self.spurious} spurious, {self.merged} merged"


@dataclass(frozen=True)
class Outcome:
    """What became of one picture with a label."""

    number: int
    """The picture's place, from 0."""
    label: str
    """The right answer."""
    answer: JSON
    """The answer given: the network's label, or the value of the goal's L; None if there was none."""
    timed_out: bool = False
    """Whether there was none because time ran out."""
    exact: bool | None = None
    """Whether its scene is; None where the true things are not known."""

    @property
    def right(self) -> bool:
        return self.answer is not None and self.said == self.label

    @property
    def said(self) -> str:
        """The answer in a table: a text as it is, another value as JSON."""
        if self.answer is None:
            return "timeout" if self.timed_out else "none"
        return self.answer if isinstance(self.answer, str) else json.dumps(self.answer)


THINGS = "things"
"""What all things together are called in the counts, where the truth tells no categories."""


@dataclass
class Counts:
    """Of things of a category: those there are, those that were told, and how many of the one are the other, by boxes
    of which at least half of what they cover together is shared."""

    true: int = 0
    claimed: int = 0
    right: int = 0

    @property
    def precision(self) -> float | None:
        """Share of those told that are there; None where none was told."""
        return self.right / self.claimed if self.claimed else None

    @property
    def recall(self) -> float | None:
        """Share of those there that were told; None where there are none."""
        return self.right / self.true if self.true else None

    def to_json(self) -> dict[str, object]:
        counts = {"true": self.true, "told": self.claimed, "right": self.right}
        return {**counts, "precision": self.precision, "recall": self.recall}


@dataclass(frozen=True)
class Evaluation:
    """How well pictures were seen, and questions about them answered."""

    n: int
    """Pictures."""
    outcomes: tuple[Outcome, ...] = ()
    """Of those with a label, in order; () where nothing was asked."""
    scene_faults: tuple[Faults, ...] | None = None
    """Of every picture; None where the true things are not known."""
    pairs: Mapping[str, float | None] = field(default_factory=dict)
    calibration: Mapping[str, float | None] = field(default_factory=dict)
    """As a Judge has them."""
    evened: int = 0
    """Pictures that uneven light was taken off."""
    claimed: Mapping[str, Counts] | None = None
    """By category, how what was told of things compares with the true ones; None where they are not known or were
    found."""

    @property
    def labelled(self) -> int:
        """Pictures that an answer was asked for."""
        return len(self.outcomes)

    @property
    def wrong(self) -> int:
        """Wrong answers, and pictures without one."""
        return sum(not outcome.right for outcome in self.outcomes)

    @property
    def accuracy(self) -> float | None:
        """Share of right answers; None where nothing was asked."""
        return (self.labelled - self.wrong) / self.labelled if self.outcomes else None

    @property
    def exact_scenes(self) -> float | None:
        """Share of pictures whose objects are exactly the true ones, one symbol each; None where they are not known."""
        return None if self.scene_faults is None else sum(faults.total == 0 for faults in self.scene_faults) / self.n

    @cached_property
    def faults(self) -> Faults | None:
        """Those of all scenes together; None where the true objects are not known."""
        if self.scene_faults is None:
            return None
        return Faults(*map(sum, zip(*map(astuple, self.scene_faults), strict=True)))

    @property
    def wrong_on_exact(self) -> int | None:
        """Wrong answers to exact scenes: not the objects are to blame, but what is said or asked of them."""
        return None if self.faults is None else sum(not o.right and bool(o.exact) for o in self.outcomes)

    @property
    def timeouts(self) -> int:
        """Pictures whose goal ran out of time: wrong answers."""
        return sum(outcome.timed_out for outcome in self.outcomes)

    @property
    def confusion(self) -> dict[str, dict[str, int]]:
        """How often each answer was given to each label; `none` and `timeout` where there was none."""
        counts = Counter((outcome.label, outcome.said) for outcome in self.outcomes)
        table: dict[str, dict[str, int]] = {}
        for label, said in sorted(counts):
            table.setdefault(label, {})[said] = counts[label, said]
        return table

    def to_json(self) -> dict[str, object]:
        """Everything above by name; what is not known is null."""
        answers = "wrong", "wrong_on_exact", "timeouts", "confusion"
        return {
            **{name: getattr(self, name) for name in ("n", "labelled", "accuracy", "exact_scenes")},
            **(dict.fromkeys(("missing", "spurious", "merged")) if self.faults is None else asdict(self.faults)),
            **({} if self.claimed is None else {"told": {name: c.to_json() for name, c in self.claimed.items()}}),
            "pairs": dict(self.pairs),
            "calibration": dict(self.calibration),
            **{name: getattr(self, name) if self.outcomes else None for name in answers},
        }
