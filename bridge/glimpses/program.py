"""The program of a picture of any size."""

from itertools import chain

import numpy as np

from bridge.definitions import read_grounding
from bridge.glimpses.scene import SeenScene
from bridge.program import Facts, ImageInfo, Program, Provenance, sections_of
from neural.glimpses.model import GlimpseModel
from neural.glimpses.scales import looked_at

SHARE, NOISE, GRAIN, MOST = 0.25, 2.5, 2.0, 0.5
"""The tolerance: a quarter of the usual size, for what lies in one row by eye may be off by that much; and what a pixel
of noise makes of how much further one thing is than another, up to half of that size. A pixel makes two of the picture,
and a little more aslant; and two of those that the finder looked at, for it knows where a box ends to half of one."""

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
    looked = looked_at(scene.height, scene.width, np.array([thing.box for thing in things]).reshape(-1, 4))
    usual = float(np.median(sizes)) if len(sizes) else 0.0
    noise = max(scale) * (NOISE + GRAIN * max(1 / looked, 1.0))
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
        "tolerance": [np.array([max(SHARE * usual, min(MOST * usual, noise))])],
        "pixel": [np.array([max(scale)])],
    }
