"""Symbols of many images at once, beside the plain way: one image, one cluster, one symbol after another."""

import numpy as np
import numpy.typing as npt
import pytest

from predinet_prolog.bridge.symbols import PICKED, Windows, name_symbols

SIDE, STRIDE, SIZE = 3, 5, 11
IMAGES, MASKS_A_LOOK, RELATIONS = 13, 8, 2
Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


def plainly(
    masks: Floats, labels: Integers, found: Integers, coordinates: Floats, boxes: Floats
) -> list[dict[str, object]]:
    """What the symbols of one image have to be: masks (p, n), labels (p,), found (n,), coordinates (n, j)."""
    groups: dict[tuple[bool, int, int], list[int]] = {}
    for cluster in range(labels.max() + 1):
        centre = masks[labels == cluster].mean(0)
        window = int(centre.argmax())
        on_one = bool(centre[window] > PICKED)
        is_object = on_one and found[window] > 0
        groups.setdefault((not is_object, window, -1 if on_one else cluster), []).append(cluster)
    symbols = []
    for (is_background, window, _), clusters in sorted(groups.items()):
        own = np.isin(labels, clusters)
        mask = masks[own].mean(0)
        row, column = divmod(window, SIDE)
        symbols.append({
            "is_thing": not is_background,
            "x": column * STRIDE + SIZE / 2, "y": row * STRIDE + SIZE / 2,
            "window": (column * STRIDE, row * STRIDE, column * STRIDE + SIZE, row * STRIDE + SIZE),
            "look": int(own.argmax()) // MASKS_A_LOOK + 1,
            "mask": mask.reshape(SIDE, SIDE),
            "coordinates": mask @ coordinates if is_background else coordinates[window],
            "box": boxes[window],
            "masks": np.flatnonzero(own),
        })  # fmt: skip
    return symbols


@pytest.mark.parametrize("looks", [1, 3])
@pytest.mark.parametrize("sharpness", [1.0, 30.0])
def test_the_same_symbols_as_one_after_another(looks: int, sharpness: float) -> None:
    random = np.random.default_rng(7)
    masks = random.dirichlet(np.full(SIDE**2, 1 / sharpness), (IMAGES, looks * MASKS_A_LOOK))
    labels = random.integers(0, random.integers(1, 7, (IMAGES, 1)), masks.shape[:2])
    labels = np.stack([np.unique(own, return_inverse=True)[1] for own in labels])  # no label without a mask
    found = random.integers(0, 2, (IMAGES, SIDE**2)) * looks
    coordinates = random.normal(size=(IMAGES, SIDE**2, RELATIONS))
    boxes = random.uniform(0, 36, size=(IMAGES, SIDE**2, 4))

    symbols, of_mask = name_symbols(
        masks, labels, found, coordinates, boxes, windows=Windows(SIDE, STRIDE, SIZE), masks_a_look=MASKS_A_LOOK
    )

    assert len({len(own.first_looks) for own in symbols}) > 1, "images differ in what they have"
    for index in range(IMAGES):
        expected = plainly(masks[index], labels[index], found[index], coordinates[index], boxes[index])
        things, background, looks = symbols[index]
        assert [symbol.name for symbol in things + background] == [f"ob_{number}" for number in range(len(expected))]
        assert [wanted.pop("is_thing") for wanted in expected] == [True] * len(things) + [False] * len(background)
        assert [wanted.pop("look") for wanted in expected] == list(looks)
        for number, (symbol, wanted) in enumerate(zip(things + background, expected, strict=True)):
            assert np.flatnonzero(of_mask[index] == number).tolist() == list(wanted.pop("masks"))
            for name, value in wanted.items():
                np.testing.assert_allclose(getattr(symbol, name), value, atol=1e-12, err_msg=name)
