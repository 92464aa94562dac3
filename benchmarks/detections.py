"""Rules over a detector's output: what they cost, beside supervision and numpy, and as one knowledge base.

    python -m benchmarks.detections [--pictures N] [--peer PYTHON] [--bases N N …]

Pictures of people, most of whom wear helmets, are told of in COCO's JSON; the rule finds who wears none. All seconds
are of processor time, of all processes. PYTHON is one that has supervision; the peer has the same file and answers.
"""

import json
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from benchmarks.shared import COMMAND, options, print_head, print_machine, print_row, spent

SEED, SIZE = 44, (640, 480)
CLASSES = ("person", "helmet", "vest", "truck")
RULES = """\
worn(Person) :- category(Helmet, helmet), overlaps(Helmet, Person), above(Helmet, Person).
bare(Person) :- category(Person, person), \\+ worn(Person).
"""
PEER = """\
import sys
import numpy as np
import supervision as sv

folder, file = sys.argv[1:]
data = sv.DetectionDataset.from_coco(folder, file)
person, helmet = map(data.classes.index, ("person", "helmet"))
for name, told in sorted(data.annotations.items()):
    people, helmets = (told.xyxy[told.class_id == key] for key in (person, helmet))
    low = np.maximum(people[:, None, :2], helmets[:, :2])
    high = np.minimum(people[:, None, 2:], helmets[:, 2:])
    middles = (people[:, None, 1] + people[:, None, 3]), (helmets[:, 1] + helmets[:, 3])
    bare = ~((high > low).all(axis=2) & (middles[1] < middles[0])).any(axis=1)
    if bare.any():
        print(name.rpartition("/")[2], bare.sum())
"""


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--pictures", type=int, default=5_000)
    parser.add_argument("--peer", metavar="PYTHON")
    parser.add_argument("--bases", type=int, nargs="*", default=[], metavar="N")
    chosen = parser.parse_args()
    print_machine()
    with tempfile.TemporaryDirectory() as place:
        print_rule(Path(place, "rule"), chosen.pictures, chosen.peer)
        print_bases(Path(place), chosen.bases)


def print_rule(place: Path, count: int, peer: str | None) -> None:
    """The rule over so many pictures, none of which is looked at; the least of three turns."""
    pictures, told, boxes = make(place, count)
    rules = place / "rules.pl"
    rules.write_text(RULES)
    asked = (pictures, "bare(Person)", "--rules", rules, "--detections", told, "--no-look", "--where")
    words: dict[str, Sequence[object]] = {"query FOLDER": (COMMAND, "query", *asked)}
    if peer is not None:
        words["supervision and numpy"] = (peer, "-c", PEER, pictures, told)
    print(f"\n{count} pictures, {boxes} boxes\n")
    print_head("", "CPU, s", "pictures where somebody is bare-headed")
    for name, command in words.items():
        turns = [measured(command) for _ in range(3)]
        print_row(name, f"{min(seconds for seconds, _ in turns):.2f}", turns[0][1].count("\n"))


def print_bases(place: Path, counts: Sequence[int]) -> None:
    """Knowledge bases of so many pictures: made, and asked of by swipl alone."""
    if counts:
        print()
        print_head("pictures", "boxes", "made, CPU s", ".qlf, MB", "asked by swipl, CPU s", "its memory, MB", "bare")
    for count in counts:
        pictures, told, boxes = make(place / str(count), count)
        base = place / f"{count}.qlf"
        made, _ = measured((COMMAND, "export", pictures, "--detections", told, "--no-look", "--kb", base))
        rules = place / "base.pl"
        rules.write_text(RULES.replace("(", "(Image, "))
        goal = "aggregate_all(count, Image, (image(Image, _, _, _), once(bare(Image, _))), N), writeln(N)"
        memory = "open('/proc/self/status', read, S), read_string(S, _, T), writeln(T)"
        seconds, said = measured(("swipl", "-q", "-g", f"{goal}, {memory}", "-t", "halt", base, rules))
        kilobytes = next(int(line.split()[1]) for line in said.splitlines() if line.startswith("VmHWM"))
        megabytes = f"{base.stat().st_size / 1e6:.1f}"
        print_row(count, boxes, f"{made:.1f}", megabytes, f"{seconds:.1f}", f"{kilobytes / 1e3:.0f}", said.split()[0])


def make(place: Path, count: int) -> tuple[Path, Path, int]:
    """A folder of so many pictures, what is told of them, and how many boxes that are."""
    random = np.random.default_rng(SEED)
    pictures, told = place / "pictures", place / "coco.json"
    pictures.mkdir(parents=True)
    Image.new("RGB", SIZE, "#c9d3d6").save(place / "plain.png")
    plain = (place / "plain.png").read_bytes()
    images, boxes = [], []
    for number in range(count):
        name = f"{number:06d}.png"
        (pictures / name).write_bytes(plain)
        images.append({"id": number, "file_name": name, "width": SIZE[0], "height": SIZE[1]})
        things = []
        for place_at in range(int(random.integers(1, 7))):
            left, top, height = 20 + 100 * place_at, int(random.integers(60, 200)), int(random.integers(120, 260))
            things.append((0, [left, top, height // 3, height]))
            if random.random() < 0.8:
                things.append((1, [left + 8, top - 6, height // 4, height // 6]))
            if random.random() < 0.3:
                things.append((2, [left, top + height // 4, height // 3, height // 4]))
        things += [(3, [0, 440, 639, 39])] * int(random.integers(0, 2))
        boxes += [
            {"id": len(boxes) + n, "image_id": number, "category_id": 1 + key, "bbox": box}
            for n, (key, box) in enumerate(things)
        ]
    categories = [{"id": 1 + key, "name": name} for key, name in enumerate(CLASSES)]
    told.write_text(json.dumps({"images": images, "annotations": boxes, "categories": categories}))
    return pictures, told, len(boxes)


def measured(words: Sequence[object]) -> tuple[float, str]:
    """Seconds of processor time of a command and what it starts, and what it prints."""
    before = spent()
    out = subprocess.run(list(map(str, words)), check=True, capture_output=True, text=True).stdout
    return spent() - before, out


if __name__ == "__main__":
    main()
