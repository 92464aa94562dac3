"""Shapes: families kept apart, masks that fill their box, twins that can be told apart."""

from itertools import combinations, groupby
from math import gcd

import numpy as np
import pytest
from PIL import Image

from predinet_prolog.domains.scenes.families import FAMILIES
from predinet_prolog.domains.scenes.shapes import fit, new_shapes, overlap
from predinet_prolog.domains.scenes.signs import SIGNS

KINDS = ("training", "validation", "judging")


def test_the_kinds_have_no_family_in_common() -> None:
    assert tuple(FAMILIES) == KINDS
    drawn = {kind: {str(draw) if hasattr(draw, "keywords") else draw.__name__ for draw in FAMILIES[kind].values()}
             for kind in KINDS}  # fmt: skip
    for one, other in combinations(KINDS, 2):
        assert not FAMILIES[one].keys() & FAMILIES[other].keys()
        assert not drawn[one] & drawn[other]
        assert not set(SIGNS[one][0]) & set(SIGNS[other][0]), "a font of two kinds"


@pytest.mark.parametrize(("kind", "family", "cells"), [("training", "polyomino", {2, 3, 4, 5}),
                                                       ("validation", "large polyomino", {7, 8})])  # fmt: skip
def test_polyominoes_of_six_cells_are_drawn_nowhere(kind: str, family: str, cells: set[int]) -> None:
    rng, seen = np.random.default_rng(0), set()
    for _ in range(150):
        lit = np.asarray(FAMILIES[kind][family](rng)) > 127
        lines = [*lit, *lit.T]
        runs = [len(list(run)) for line in lines for value, run in groupby(line.tolist()) if value]
        seen.add(int(lit.sum()) // gcd(*runs) ** 2)
    assert 6 not in seen
    assert max(seen) == max(cells)
    assert len(seen & cells) > 1  # a rectangle of four or eight may be told for one of larger cells


@pytest.mark.parametrize("kind", KINDS)
def test_masks_fill_their_box_and_twins_are_unlike(kind: str) -> None:
    rng = np.random.default_rng(1)
    groups = [new_shapes(kind, rng) for _ in range(20)]
    assert sum(len(group) for group in groups) > 2.5 * 20, "few shapes have twins"
    for mask in (mask for group in groups for mask in group):
        assert mask.dtype == np.uint8
        assert max(mask.shape) == 64
        assert min(mask.shape) >= 8
        assert all(edge.any() for edge in (mask[0], mask[-1], mask[:, 0], mask[:, -1]))
        assert overlap(mask, mask) == 1
    for group in groups:
        for one, other in combinations(group, 2):
            assert overlap(one, other) == overlap(other, one) < 0.87


def test_what_is_empty_or_thin_still_has_a_mask() -> None:
    assert fit(Image.new("L", (20, 20))).all()
    thin = Image.new("L", (200, 2), 255)
    assert fit(thin).shape == (8, 64)
