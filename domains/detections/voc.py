"""Pascal VOC: an XML file a picture. Pixels are counted from 1, and the last one is within the box; by some writers
from 0, which a file or folder is that has a box which begins there."""

from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path, PurePosixPath
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from predinet_prolog.domains.detections.fields import plain, word_in
from predinet_prolog.domains.detections.table import Listed, Row, Source, unread
from predinet_prolog.domains.errors import DomainError

SIDES = ("xmin", "ymin", "xmax", "ymax")
FROM_ZERO = "{} of {} boxes read as counted from 0, as one of the file or folder begins there"
FORM = "bndbox with xmin, ymin, xmax and ymax"


def of_files(texts: Mapping[str, str], where: str) -> Source:
    """What the files say, `texts` by their paths; `where`: their folder."""
    images, paths = [], dict[str, str]()
    for path, text in texts.items():
        root = _tree(text, path)
        if double := next((tag for tag in ("filename", "size") if len(root.findall(tag)) > 1), None):
            raise DomainError(f"{path} has several {double}: a file is of one picture")
        name = (root.findtext("filename") or "").strip().replace("\\", "/")
        if not name:
            raise DomainError(f"{path} has no filename: give it that of its picture")
        if "/" not in name and path != where:
            parts = Path(path).relative_to(where).parent.parts
            start = parts.index("Annotations") + 1 if "Annotations" in parts else 0  # whose pictures are in JPEGImages/
            name = PurePosixPath(*parts[start:], name).as_posix()
        if (other := paths.setdefault(name, path)) != path:
            raise DomainError(f"{path}: {name} is the picture of {other} too: a picture has one file")
        sides = {side: plain(root.findtext(f"size/{side}", "").strip()) or None for side in ("width", "height")}
        images.append(Listed(path, name, sides=sides, entries=list(enumerate(root.iter("object")))))
    boxes = (record.find("bndbox") for listed in images for _, record in listed.entries)
    starts = (box.findtext(side, "1") for box in boxes if box is not None for side in SIDES[:2])
    start = 0 if any(text.strip() in ("0", "0.0") for text in starts) else 1
    return Source(where, images, "object {1} of {0}", partial(_read, start))


def _read(start: int, record: Element, place: str) -> Row:
    pairs = [(pair.findtext("name", ""), pair.findtext("value")) for pair in record.findall("attributes/attribute")]
    parts = (part for part in (*record, *record.iterfind("bndbox/*")) if not len(part) or part.tag == "bndbox")
    counts = Counter([*(part.tag for part in parts), *(f"attribute {name}" for name, _ in pairs)])
    if double := next((name for name, count in counts.items() if count > 1), None):
        raise DomainError(f"{place} has several {double}: give each thing an object of its own")
    values = [plain(record.findtext(f"bndbox/{side}", "").strip()) for side in SIDES]
    if any(isinstance(value, str) for value in values):
        raise DomainError(f"{place} has no {FORM}, each a number")
    left, top, right, bottom = map(float, values)
    box = [left - start, top - start, right + 1 - start, bottom + 1 - start]
    if not (category := record.findtext("name", "").strip()):
        raise DomainError(f"{place} has no name: give it that of its class")
    leaves = [(child.tag, child.text) for child in record if not len(child) and child.tag != "name"]
    fields = {name: plain(text.strip()) for name, text in (*leaves, *pairs) if text and text.strip()}
    score, track = (fields.pop(word_in(fields, what), None) for what in ("score", "track"))
    more = sorted({child.tag for child in record if len(child)} - {"bndbox", "attributes"})
    remarks = [FROM_ZERO] * (1 - start) + list(map(unread, more))
    return Row(box, FORM, None, None, category, score, track, fields, remarks=remarks)


def _tree(text: str, where: str) -> Element:
    """The elements of XML that declares no entities: those may stand for any file, or for gigabytes."""
    builder, parser = TreeBuilder(), expat.ParserCreate(encoding="utf-8")

    def refuse(*_: object) -> None:
        raise DomainError(f"{where} declares entities: write what they stand for, and leave out its DOCTYPE")

    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(text.encode(), True)
        root = builder.close()
    except (expat.ExpatError, AssertionError) as error:
        raise DomainError(f"{where} is not XML that can be read ({error})") from None
    if root.tag != "annotation":
        raise DomainError(f"{where} is no annotation of Pascal VOC: its XML begins with <{root.tag[:50]}>")
    return root
