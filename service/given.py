"""What a user names that tells of things in pictures: a file or a folder, and what of it is taken."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from filecmp import cmp
from functools import lru_cache, partial
from pathlib import Path

from predinet_prolog.bridge.errors import BoxesError
from predinet_prolog.bridge.perceiving.given import ALL, Choice, Given, given_by
from predinet_prolog.bridge.program import rules_of
from predinet_prolog.bridge.vocabulary import VOCABULARY, Dialect
from predinet_prolog.domains.detections import Detected, Source, open_detections
from predinet_prolog.domains.detections.classes import NONE, classes_of
from predinet_prolog.domains.detections.coco import parse
from predinet_prolog.domains.detections.reading import of_text, text_of
from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.names import picture_key
from predinet_prolog.neural.glimpses.model import load_any
from predinet_prolog.service.errors import UsageError
from predinet_prolog.symbolic import EnglishError, SuppositionError, UnknownPredicateError


@dataclass(frozen=True)
class Told:
    """A file or a folder that tells of things; small, for who sends it to another process."""

    path: Path
    classes: Path | None = None
    """A file of what classes are called."""
    choice: Choice = ALL
    boxes: bool = False
    """Whether boxes are meant, and nothing else that it tells."""

    @property
    def source(self) -> Source:
        """What was opened, read once by each process. Raises BoxesError."""
        files = [path for path in (self.path, self.classes) if path is not None]
        if missing := [path for path in files if not path.exists()]:
            raise BoxesError(f"no such file: {missing[0]}")
        try:
            return _opened(self.path, self.classes, self.boxes, tuple(path.stat().st_mtime_ns for path in files))
        except DomainError as error:
            raise BoxesError(str(error)) from None

    def check_pictures(self, folder: Path, names: Sequence[str]) -> None:
        """BoxesError unless it says which of the folder's pictures, which are seen together, the things are of, and
        where these are of another file of that name."""
        source = self.source
        _check_pictures(source, names)
        for name in names:
            picture = (folder / name).resolve()
            for said in map(picture_key, source.names_of(name) if picture.is_file() else ()):
                paths = (up / (said + ending) for up in picture.parents for ending in ("", picture.suffix))
                other = next((path for path in paths if path.is_file()), picture)
                if other != picture and not cmp(other, picture, shallow=False):
                    raise BoxesError(f"{source.where} tells of {other}, and of nothing in {folder / name}")

    @property
    def stamp(self) -> tuple[tuple[str, int, int], ...]:
        """All its files, how many bytes they have and when they were changed."""
        named = [path for path in (self.path, self.classes) if path is not None]
        files = (file for path in named for file in (sorted(path.rglob("*")) if path.is_dir() else [path]))
        return tuple((str(file), status.st_size, status.st_mtime_ns) for file in files for status in [file.stat()])

    def __call__(self, picture: str, size: tuple[int, int], *, looked: bool) -> Given:
        """What it tells of the picture of that name and size. Raises BoxesError, as `given_by` does."""
        return given_by(self.source, picture, size, self.choice, looked=looked)


@dataclass(frozen=True)
class Sent:
    """A file that tells of things, and goes with an image."""

    data: bytes
    name: str
    """What errors call it."""
    classes: tuple[bytes, str] | None = None
    """What classes are called, and what errors call that file."""
    choice: Choice = ALL

    @property
    def source(self) -> Source:
        """What it tells. Raises BoxesError."""
        try:
            classes = NONE if self.classes is None else classes_of(_text(*self.classes), self.classes[1])
            return of_text(_text(self.data, self.name), self.name, classes)
        except DomainError as error:
            raise BoxesError(str(error)) from None


def _text(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BoxesError(f"{where} is no text in UTF-8: send what the detector wrote, as it is") from None


Teller = Callable[..., Given]
"""Tells of the things of one picture by its name and size; `looked`: whether they will be compared. BoxesError for a
picture that is not named, where others are."""


def teller(boxes: str | None, detections: Told | Sent | Source | Detected | None) -> Teller | None:
    """Who tells of things, if anybody does: `boxes` is JSON. Raises BoxesError, also for two who do."""
    if boxes is not None and detections is not None:
        raise BoxesError("boxes are the simple form of detections: send one of them")
    if boxes is not None:
        if not isinstance(boxes, str):
            raise BoxesError(f"boxes are JSON's text, not a {type(boxes).__name__}: json.dumps makes it")
        try:
            return partial(_of_one, parse(boxes, "boxes"), Choice(some=True))
        except DomainError as error:
            raise BoxesError(str(error)) from None
    if detections is None:
        return None
    if isinstance(detections, Told | Sent):
        return partial(_of_one, detections.source, detections.choice)
    source = detections.source if isinstance(detections, Detected) else detections
    if not isinstance(source, Source):
        raise BoxesError(f"detections are a file, a folder, or what from_arrays makes of a {type(source).__name__}")
    return partial(_of_one, source, ALL)


def _of_one(source: Source, choice: Choice, picture: str, size: tuple[int, int], *, looked: bool) -> Given:
    """Of a folder, pictures that a detector does not name have nothing in them; who names one picture means it."""
    _check_pictures(source, [picture])
    return given_by(source, picture, size, choice, looked=looked)


def _check_pictures(source: Source, names: Sequence[str]) -> None:
    try:
        source.check_pictures(names)
    except DomainError as error:
        raise BoxesError(str(error)) from None


@lru_cache(2)
def _opened(path: Path, classes: Path | None, boxes: bool, changed: tuple[int, ...]) -> Source:
    """`changed`: when the files were, of which another version may have been read before."""
    return parse(text_of(path), str(path)) if boxes else open_detections(path, classes=classes)


LACKING = (EnglishError, SuppositionError, UnknownPredicateError)
"""Errors that what is told of pictures may have because nothing was looked at."""


def check_look(
    error: EnglishError | SuppositionError | UnknownPredicateError, model: str | None, forbidden: str | None = None
) -> None:
    """Raises the error, that a goal met in what was told alone, unless a look at pixels by `model` tells what it lacks;
    and UsageError where looking is `forbidden` by the option or field of that name. What can be supposed is looks, and
    words of a question may be those of what is seen."""
    if isinstance(error, EnglishError):
        if forbidden is not None:
            raise error
        return
    if isinstance(error, UnknownPredicateError) and not is_seen(error.predicate, model):
        raise error
    if forbidden is not None:
        what = (
            error.predicate if isinstance(error, UnknownPredicateError) else "how things look, which can be supposed,"
        )
        raise UsageError(f"{what} is told by looking at pictures: leave out {forbidden}") from None


def is_seen(predicate: str, model: str | None = None) -> bool:
    """Whether programs say the predicate of images that were looked at alone; `model` may have learned it."""
    looked, unlooked = Dialect(given=True), Dialect(looked=False, given=True)
    if re.fullmatch(r"same(_\w+)?/2|r\d+/3", predicate):
        return True
    if any(row.indicator == predicate and looked.has(row) and not unlooked.has(row) for row in VOCABULARY):
        return True
    rules = () if model is None else rules_of(load_any(model), given=True).sections
    return any(clause.head.indicator == predicate for section in rules for clause in section)
