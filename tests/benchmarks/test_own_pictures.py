"""Pictures that judge are what they say, and the figures of a known seer are those counted by hand."""

from pathlib import Path

import numpy as np
from PIL import Image

from examples.own_pictures import show
from predinet_prolog.bridge import Scene, Thing
from predinet_prolog.domains.domain import Annotated, Inspection, Truth
from predinet_prolog.symbolic import Engine


def test_the_page_names_what_is_wrong(tmp_path: Path) -> None:
    """Of four things the last is missed. The first two look the same; same/2 is said of the second and the third."""
    boxes = np.array([(10, 10, 30, 30), (40, 10, 60, 30), (70, 10, 90, 30), (10, 60, 30, 80)], float)
    looks = np.array([0, 0, 1, 1])
    picture = np.full((100, 200, 3), 255, np.uint8)
    truth = Truth(np.zeros(4, np.int64), boxes, {"look": looks, "shape": looks})
    annotated = Annotated(("some_things.png",), (picture,), truth)
    things = tuple(Thing(f"ob_{at}", box, (0, 0, 0), np.zeros(1)) for at, box in enumerate(boxes[:3]))
    scene = Scene(things, Inspection(0.0, None, 0.0), (200, 100))
    said = "same(ob_1, ob_2).\nsame(ob_2, ob_1).\nsame_size(ob_0, ob_1).\n"
    program = "".join(f"object({thing.name}).\n" for thing in things) + said
    with Engine() as engine:
        shown = show.judged(engine, scene, program, annotated, 0)
    assert (shown.missed, shown.spurious) == (1, [])
    assert (shown.wrongly["same"], shown.left_out["same"]) == ([(1, 2)], [(0, 1)])
    assert (shown.wrong("same"), shown.wrong("same_shape"), shown.wrong("same_size")) == (2, None, None)
    page = show.write_page([shown], annotated, tmp_path / "pictures")
    for line in (
        "| [some_things.png](#some-things) | 4 | 1 | 0 | 2 | – | – | – |  |",
        "Found without fault: 0 of 1. ",
        "![Some things](pictures/some_things.jpg)",
        "?- same(X, Y).   % X = ob_1, Y = ob_2",
        "- 1 of 4 things are missed",
        "- `same` is said, and is not true, of ob_1 and ob_2",
        "- `same` is true, and is not said, of ob_0 and ob_1",
    ):
        assert line in page
    with Image.open(tmp_path / "pictures" / "some_things.jpg") as image:
        assert image.width == 2 * image.height
        box = np.asarray(image)[: image.height // 2, : image.width // 5]
    assert (box[..., 1].astype(int) - box[..., 0] > 60).any()  # a green box
