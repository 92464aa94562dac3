"""YOLO's labels, a text file a picture, of the same name: a line a thing, its class from 0, then the middle, width and
height of its box, or the corners of its outline, as shares of the upright picture; then, if they are told, how sure the
detector is and the thing's track. Where there is no file, or an empty one, nothing is."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path, PurePosixPath

import numpy as np

from predinet_prolog.domains.detections.classes import NONE, Classes, read_classes
from predinet_prolog.domains.detections.fields import numbers_of
from predinet_prolog.domains.detections.outlines import Polygons
from predinet_prolog.domains.detections.table import MIDDLES, SHARE, Listed, Row, Stems
from predinet_prolog.domains.errors import DomainError

NAMES = ("data.yaml", "dataset.yaml", "classes.txt", "obj.names")
"""Files in or beside the folder that name its classes."""
PEOPLE = {5 + 17 * size + more for size in (2, 3) for more in (0, 1)}
"""Words of a line with COCO's keypoints of a person, sure or not: what else is so long is seldom one outline."""
FORM = "YOLO has a class, then x, y of the middle, width, height, or an outline, in shares, with blanks; MOT has commas"
WHOLE = "{{}} of {{}} boxes have a whole number last: read as a {}"


def of_files(texts: Mapping[str, str], where: str, classes: Classes) -> Stems:
    """What the files say, `texts` by their paths; `where`: their folder."""
    images = []
    for path, text in texts.items():
        lines = [(number, line.split()) for number, line in enumerate(text.splitlines()) if line.strip()]
        name = PurePosixPath(Path(path).relative_to(where).as_posix() if path != where else Path(path).name)
        parts = name.with_suffix("").parts
        start = len(parts) - parts[::-1].index("labels") if "labels" in parts else 0  # whose pictures are in images/
        images.append(Listed(path, "/".join(parts[start:]), entries=list(lines)))
    rows = [words for listed in images for _, words in listed.entries]
    if classes.posed or _are_keypoints(rows):
        raise DomainError(f"{where} has keypoints behind its boxes, not outlines: give a file of COCO's for these")
    if _are_scored_first(rows):
        raise DomainError(f"{where} has confidences as second words, for boxes reach out else: put them last")
    reader = partial(_read, _are_tracked(rows))
    for number, words in images[0].entries[:1]:  # what is of another kind may name no picture that is asked for
        reader(words, f"line {number + 1} of {images[0].file}")
    return Stems(where, images, "line {1} of {0}", reader, classes, sparse=True)


def classes_of(folder: Path) -> Classes:
    """Those that a file in the folder, else beside it, names."""
    for place in (folder, folder.absolute().parent):
        for name in NAMES:
            if (place / name).is_file():
                return read_classes(place / name)
    return NONE


def _are_tracked(lines: Iterable[Sequence[str]]) -> bool:
    """Whether lines but those of seven words end with a track, which is more than a share can be."""
    ends = (float(words[-1]) for words in lines if (len(words) == 6 or len(words) > 7) and words[-1].isdigit())
    return any(end > SHARE for end in ends)


def _are_scored_first(lines: Iterable[Sequence[str]]) -> bool:
    """Whether boxes of six words reach out of the picture, and none does if its second word is how sure it is."""
    with suppress(ValueError):
        table = np.array([list(map(float, words)) for words in lines if len(words) == 6]).reshape(-1, 6)
        reaches = (np.abs(table[:, k : k + 2] - 0.5) + table[:, k + 2 : k + 4] / 2 for k in (1, 2))  # from the middle
        last, first = (float(reach.max(initial=0)) for reach in reaches)
        return last > 0.52 and first < 0.501
    return False


def _are_keypoints(lines: Sequence[Sequence[str]]) -> bool:
    """Whether two lines or more, or one as long as COCO's people, are equally long, and in each what would be an
    outline lies in the box that its first two points would be."""
    lengths = {len(words) for words in lines}
    least, behind = (12, 2) if _are_tracked(lines) else (11, 0)  # turned boxes that are sure and tracked have 11 words
    if len(lengths) != 1 or max(lengths) < least or (len(lines) == 1 and lengths.isdisjoint(PEOPLE)):
        return False
    with suppress(ValueError):
        table = np.array([list(map(float, words)) for words in lines])
        for step in (2, 3):
            count = (len(lines[0]) - 5 - behind) // step
            points = table[:, 5 : 5 + count * step].reshape(len(lines), count, step)
            distances = np.abs(points[..., :2] - table[:, None, 1:3]) - table[:, None, 3:5] / 2
            if ((distances <= SHARE - 1) | (points[..., :2] == 0)).all():
                return True
    return False


def _read(tracked: bool, words: Sequence[str], place: str) -> Row:
    key, *values = numbers_of(words, place, FORM)
    if len(values) < 4 or not key.is_integer():
        raise DomainError(f"{place} has no class, or too few numbers: {FORM}")
    track = score = None
    remarks = [WHOLE.format("track" if tracked else "confidence")] * (len(words) == 6 and words[-1].isdigit())
    if len(values) > 4 and (len(values) == 6 or tracked) and words[-1].isdigit():
        track = int(values.pop())
    elif len(values) == 5 and tracked:
        raise DomainError(f"{place} ends with a confidence where other lines have a track: write both")
    if len(values) == 5 or (len(values) > 5 and len(values) % 2):
        score = values.pop()
    if not all(1 - SHARE <= value <= SHARE for value in values):  # NaN is not, either
        raise DomainError(f"{place} has a number that is no share of the picture, from 0 to 1: {FORM}")
    box = values if len(values) == 4 else None
    outline = None if box else Polygons((np.array(values).reshape(-1, 2),))
    return Row(box, MIDDLES, outline, int(key), None, score, track, remarks=remarks)
