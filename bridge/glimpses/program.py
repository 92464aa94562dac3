"""The program of a picture of any size."""

from itertools import chain

import numpy as np

from bridge.definitions import read_grounding
from bridge.glimpses.scene import SeenScene
from bridge.program import Facts, ImageInfo, Program, Provenance, sections_of
from neural.glimpses.model import GlimpseModel

SHARE, NOISE = 0.25, 2.5
"""The tolerance: a quarter of the usual size, for what lies in one row by eye may be off by that much, and at least so
many pixels of the picture as it was looked at. Where a box ends is known to half a pixel either way; so are centres,
and what one thing is further from a third than another, to two pixels, and a little more aslant."""

Scale = tuple[float, float]
"""How many pixels of the image as it was given one pixel of a scene is wide and high."""


def make_scene_program(
    scene: SeenScene, *, model: GlimpseModel, image: ImageInfo, scale: Scale, boxes_sha256: str | None = None
) -> Program:
    """The program of a scene of the model; `boxes_sha256` is that of the boxes that were given, if they were."""
    provenance = Provenance(model.name, model.sha256, image, None, boxes_sha256)
    return Program(provenance, scene_facts(scene, scale), sections_of(model), read_grounding(model), None)


def scene_facts(scene: SeenScene, scale: Scale) -> Facts:
    """All facts of a picture, in the program's order."""
    things, parts = scene.objects, [(part, thing) for thing in scene.objects for part in thing.parts]
    names, pieces = [thing.name for thing in things], [part.name for part, _ in parts]
    seen = [*things, *(part for part, _ in parts)]
    left, top, right, bottom = (np.array([each.box for each in seen]).reshape(-1, 4) * (scale * 2)).T
    sizes = np.maximum(right - left, bottom - top)[: len(things)]
    coordinates = np.array([thing.coordinates for thing in things]).T  # (j, q)
    of_relations = [f"r{index}" for index in range(len(coordinates))]
    pairs = sorted(chain(scene.touching, (pair[::-1] for pair in scene.touching)))
    return {
        "object": [names],
        "background": [[]],
        "position": [names + pieces, (left + right) / 2, (top + bottom) / 2],
        "box": [names + pieces, left, top, right, bottom],
        "colour": [names + pieces, *([each.colour[band] for each in seen] for band in range(3))],
        "part": [pieces],
        "part_of": [pieces, [thing.name for _, thing in parts]],
        "touches": [[names[first] for first, _ in pairs], [names[second] for _, second in pairs]],
        "coordinate": [[r for r in of_relations for _ in names], names * len(of_relations), coordinates.ravel()],
        "noise_level": [np.array([scene.noise_level])],
        "tolerance": [np.array([max(NOISE * max(scale), SHARE * np.median(sizes) if len(sizes) else 0.0)])],
        "pixel": [np.array([max(scale)])],
    }
