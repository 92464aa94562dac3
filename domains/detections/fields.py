"""Fields of records, checked: what is of another kind is a DomainError of one line, which says what was expected."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from math import isfinite
from typing import Any, cast

from predinet_prolog.domains.errors import DomainError

Key = int | str
Scalar = str | int | float | bool
Corners = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels; right and bottom are outside."""
WORDS = {
    "picture": ("file_name", "filename", "image_name", "image_path", "image", "file"),
    "category": ("class_name", "category_name", "class", "category", "label"),
    "score": ("score", "confidence"),
    "track": ("track_id", "tracker_id", "trackid"),
}
"""What writers call the fields that name a thing's picture and class, and tell how sure it is and its track: the first
that is there counts."""
FAR = 1e9
"""No number of a picture is so large."""
WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,18})(\.0+)?")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,18})(\.[0-9]{1,30})?([eE][-+]?[0-9]{1,3})?")
_NUMBERS = {int, float}
_KINDS = {str: "text", int: "a whole number", dict: "an object"}


def parsed(text: str, where: str, wanted: str) -> Any:
    """What JSON says. DomainError for what is none, and for a key twice in one object."""
    try:
        return json.loads(text.removeprefix("\ufeff"), object_pairs_hook=partial(object_of, where))
    except DomainError:
        raise
    except (ValueError, RecursionError) as error:
        raise DomainError(f"{where} is not JSON that can be read ({error}): {wanted}") from None


def object_of(where: str, pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """The object of those keys and values. DomainError for a key twice: one of its values would be lost."""
    if len(record := dict(pairs)) < len(pairs):
        ((double, _),) = Counter(name for name, _ in pairs).most_common(1)
        beside = {name: value for name, value in pairs if name != double and not isinstance(value, list | dict)}
        rest = f", beside {json.dumps(beside)[:50]}" if beside else ""
        raise DomainError(f"{where} has the key {json.dumps(double)[:50]} twice in one object{rest}: leave one out")
    return record


def word_in(record: Mapping[str, Any], what: str, first: str = "") -> str:
    """The first of the WORDS for that, a format's `first` before all, that the record tells; an empty text for none."""
    return next((word for word in (first, *WORDS[what]) if record.get(word) is not None), "")


def key_in(record: object, name: str, place: str) -> Key:
    """The id in that field: 1, 1.0, "1" and "1.0" are one."""
    value = key = record.get(name) if isinstance(record, dict) else None
    if type(value) is int and -FAR < value < FAR:  # as most are
        return value
    if isinstance(value, str):
        if not WHOLE.fullmatch(value):
            return value
        key = int(value.partition(".")[0])
    elif type(value) is float and value.is_integer():
        key = int(value)
    if type(key) is int and -(2**63) <= key < 2**63:  # what tables and other programs hold
        return key
    raise DomainError(f"{place}: {must_be(name, value, int, str)}")


def text_in(record: object, name: str, place: str) -> str:
    value = record.get(name) if isinstance(record, dict) else None
    if not isinstance(value, str):
        raise DomainError(f"{place}: {must_be(name, value, str)}")
    return value


def four_numbers(values: Any, place: str, form: str) -> Corners:
    """Four numbers of the `form`, none of them far outside of every picture."""
    if not (type(values) in (list, tuple) and len(values) == 4 and _NUMBERS.issuperset(map(type, values))):
        raise DomainError(f"{place} is not four numbers: {form} was expected, in pixels")
    a, b, c, d = values
    if not (abs(a) < FAR and abs(b) < FAR and abs(c) < FAR and abs(d) < FAR):  # NaN is not, either
        raise DomainError(f"{place} has a number that is none, or too large: {form} was expected, in pixels")
    return float(a), float(b), float(c), float(d)


def numbers_of(words: Sequence[str], place: str, form: str) -> list[float]:
    """The numbers that words are; DomainError names the first that is none, and the `form` of what they stand in."""
    try:
        return list(map(float, words))
    except ValueError as error:
        word = str(error).rpartition(": ")[2][:50]
        raise DomainError(f"{place} has {word}, which is no number: {form}") from None


def attributes_of(values: Mapping[str, Any], place: str) -> Mapping[str, Scalar]:
    """Those that are told: null is not."""
    for name, value in values.items():
        if not (value is None or isinstance(value, str | bool | int) or (type(value) is float and isfinite(value))):
            text = json.dumps(value, default=str)[:50]
            raise DomainError(f"{place}: {name} must be a text, a number, true, false or null, not {text}")
    return {name: value for name, value in values.items() if value is not None}


def plain(text: str) -> int | float | str:
    """The number that a text is, as JSON writes numbers, else the text."""
    if not _NUMBER.fullmatch(text):
        return text
    return int(text) if WHOLE.fullmatch(text) and "." not in text else float(text)


def is_number(value: object) -> bool:
    """Whether JSON has a number there; true and false are none."""
    return type(value) in (int, float)


def scored(value: Any, place: str) -> float | None:
    """What is no number from 0 to 1 is a DomainError."""
    if value is not None and not (is_number(value) and 0 <= value <= 1):
        raise DomainError(f"{place}: its score must be a number from 0 to 1, not {json.dumps(value)[:50]}")
    return cast("float | None", value)


def are_numbers(values: Any) -> bool:
    """Whether it is a list of numbers, none of them far outside of every picture."""
    return isinstance(values, list | tuple) and all(is_number(value) and abs(value) < FAR for value in values)


def must_be(name: str, value: object, *kinds: type) -> str:
    """The fault of a field that is of none of those kinds."""
    wanted = " or ".join(_KINDS[kind] for kind in kinds)
    return f"{name} must be {wanted}, not {json.dumps(value, default=str)[:50]}"
