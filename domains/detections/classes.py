"""Names of classes, from a file of their own: COCO's categories, a `data.yaml`, a name a line, or JSON."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from predinet_prolog.domains.detections.fields import Key, key_in, object_of, parsed, text_in
from predinet_prolog.domains.errors import DomainError, naming
from predinet_prolog.lazily import lazily

yaml = lazily("yaml")  # a browser has none
MOST_BYTES = 2**24
_COLUMNS = re.compile(r"(?i)(?=.*[,;\t])(.*[,;\t])?\W*((class|category|label)_?)?(id|name|index)\W*([,;\t].*)?")
"""A table's first line, which names its columns."""
LITERAL = 'write them as {"1": "name", …}, or give a COCO file with these categories'


@dataclass(frozen=True)
class Classes:
    """What classes are called."""

    where: str
    names: Mapping[Key, str]
    counted: bool = False
    """They are told by their order alone, from 0: other files may count them from 1."""
    keypoints: Mapping[Key, Sequence[str]] = field(default_factory=dict)
    """By class, what its keypoints are called."""
    posed: bool = False
    """Lines of YOLO's have keypoints behind their boxes, as a data.yaml with kpt_shape says."""

    def name(self, key: Key, place: str, *, sure: bool = True) -> str:
        """What a class is called. DomainError for one without a name; unless `sure`, its id then."""
        if key in self.names or not sure:
            return self.names.get(key, str(key))
        of = f"{self.where} has {len(self.names)}: add its name"
        of = of if self.names else "none are given: give its name by a classes file"
        raise DomainError(f"{place}: no category has the id {key}, {of}")

    def meant_by(self, ids: Iterable[Key], where: str) -> "Classes":
        """Those that a file means that has the `ids`; DomainError where it may count from 0 or from 1."""
        numbers = {key for key in ids if isinstance(key, int)}
        if not self.counted or not numbers or 0 in numbers or max(numbers) > len(self.names):
            return self
        if max(numbers) < len(self.names):
            raise DomainError(
                f"{where} has classes from {min(numbers)} to {max(numbers)}, and nothing says whether it counts the "
                f"{len(self.names)} names of {self.where} from 0 or from 1: {LITERAL}"
            )
        return Classes(self.where, {int(key) + 1: name for key, name in self.names.items()})


NONE = Classes("", {})


def read_classes(path: Path) -> Classes:
    """The classes that a file names. DomainError, too, for what names none."""
    with naming(path):
        if path.stat().st_size > MOST_BYTES:
            raise DomainError(f"it is larger than {MOST_BYTES // 2**20} MiB: a file of names is small")
        text = path.read_text(encoding="utf-8-sig")
    return classes_of(text, str(path))


def classes_of(text: str, where: str) -> Classes:
    """The classes that a file of that text names; errors call it `where`, whose ending says whether it is YAML."""
    described: dict[str, Any] = {}
    with naming(Path(where)):
        if where.lower().endswith((".yaml", ".yml")):
            described, place = _of_yaml(text), "names"
            names = described.get("names")
        elif text.lstrip()[:1] in ("{", "["):
            content = parsed(text, "it", LITERAL)
            if isinstance(content, dict) and isinstance(content.get("categories"), list):
                return of_categories(content["categories"], where)
            names, place = content, "it"
        else:
            names, place = _of_lines(text), "it"
        keyed = names if isinstance(names, dict) else dict(enumerate(names)) if isinstance(names, list) else {}
        if not keyed or not all(isinstance(name, str) and name.strip() for name in keyed.values()):
            raise DomainError(f"{place} must be a list of names, or an object of ids and names")
        classes = {key_in({"id": key}, "id", place): name for key, name in keyed.items()}
        counted = isinstance(names, list) or place == "names"
        return Classes(where, classes, counted, posed="kpt_shape" in described)


def of_categories(categories: Sequence[Any], where: str) -> Classes:
    names: dict[Key, str] = {}
    keypoints: dict[Key, Sequence[str]] = {}
    for at, record in enumerate(categories):
        place = f"{where}: categories[{at}]"
        if (key := key_in(record, "id", place)) in names:
            raise DomainError(f"{place}: the id {key} is that of another category too: give each its own")
        names[key] = text_in(record, "name", place)
        points = record.get("keypoints") or ()
        if not isinstance(points, list | tuple) or not all(isinstance(name, str) for name in points):
            raise DomainError(f"{place}: keypoints must be a list of names, not {json.dumps(points)[:50]}")
        keypoints[key] = points
    return Classes(where, names, keypoints=keypoints)


def _of_lines(text: str) -> list[str] | dict[str, str]:
    """Names by their lines; by their numbers, where all lines begin with these, 0, 1, 2, …"""
    names = [line.strip() for line in text.rstrip().split("\n")]
    if number := next((number for number, name in enumerate(names, 1) if name.startswith("#")), None):
        raise DomainError(f"line {number} begins with #: leave comments out, as lines are counted, or {LITERAL}")
    if _COLUMNS.fullmatch(names[0]) or (len(names) == 1 and "," in names[0]):
        raise DomainError(f"line 1, {names[0][:50]!r}, is no name of a class: write a name a line, or {LITERAL}")
    numbered = [re.fullmatch(r"(\d+)(?:\s*[:,=]\s*|\s+)(\S.*)", name) for name in names]
    pairs = {match[1]: match[2] for match in numbered if match}
    return pairs if list(pairs) == list(map(str, range(len(names)))) else names


def _of_yaml(text: str) -> dict[str, Any]:
    def mapping(loader: Any, node: Any, deep: bool = False) -> dict[str, Any]:
        return object_of("it", loader.construct_pairs(node, deep))

    # Of its loaders this keeps every name as it is written, such as no.
    loader: Any = type("Loader", (yaml.BaseLoader,), {"construct_mapping": mapping})
    try:
        content = yaml.load(text, loader)
    except (yaml.YAMLError, RecursionError, TypeError) as error:  # TypeError: a key that is a list
        raise DomainError(f"it is no YAML ({' '.join(str(error).split())[:100]})") from None
    return content if isinstance(content, dict) else {}
