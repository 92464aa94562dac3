"""What programs say of regions: of things that were given, and of zones that a user named."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np

from predinet_prolog.bridge.clauses import Section, section_of
from predinet_prolog.bridge.regions import CONVERSE, RELATIONS, Region, connected, distance, near, share_inside
from predinet_prolog.bridge.scene import FloatArray, Scene
from predinet_prolog.bridge.terms import DIGITS
from predinet_prolog.domains.zones import Zones

CONNECTED = tuple(name for name in RELATIONS if name != "dc")
LEAST = 0.5 * 10**-DIGITS
"""A share below this would be written as 0."""
MANY = 100
"""Of more things, masks are measured where boxes meet, and from box to box elsewhere: all pairs would take seconds."""


def sections(given: bool, zones: bool) -> tuple[Section, ...]:
    """The clauses of programs whose things were given, and of those with zones."""
    (apart, *of_given), (outside_zone, in_zone) = section_of("regions"), section_of("zones")
    of_things = (apart, *([outside_zone] if zones else []), *of_given)
    return (*([of_things, section_of("ground")] if given else []), *([(in_zone,)] if zones else []))


Lot = list["_Lay"]
"""Scenes of which it is not known yet how their things lie: that is worked out of all at once."""


def tables(scene: Scene, boxes: FloatArray, size: tuple[int, int], lot: Lot) -> Mapping[str, Callable[[], list[Any]]]:
    """The facts of the scene's things, `boxes` (n, 4) in pixels of the image, which is so wide and high: made when they
    are wanted, and only of things that were given, and of zones."""
    given, zones = scene.given, scene.zones
    if not (given or zones):
        return {}
    lay = _Lay(scene, boxes, size, lot)
    return {
        **({name: partial(lay.related, name) for name in CONNECTED} if given else {}),
        **({"touches": lay.touching, "masks_apart": lay.masks_apart} if given else {}),
        "share_inside": lay.shares,
        **({"zone": lambda: [list(zones.outlines)]} if zones else {}),
    }


class _Lay:
    """How the things of a scene lie, each only worked out if it is wanted."""

    def __init__(self, scene: Scene, boxes: FloatArray, size: tuple[int, int], lot: Lot) -> None:
        self._scene, self._boxes, self._size, self._lot = scene, boxes, size, lot
        self._pairs: list[tuple[int, int, str]] | None = None
        lot.append(self)

    @cached_property
    def _names(self) -> list[str]:
        return [thing.name for thing in self._scene.things]

    @cached_property
    def _regions(self) -> list[Region]:
        things = self._scene.things
        if not self._scene.given or all(thing.outline is None for thing in things):
            return list(map(Region, self._boxes))
        masks = [thing.region if thing.region is not None and thing.region.any() else None for thing in things]
        return list(map(Region, self._boxes, masks))

    @cached_property
    def _zones(self) -> list[tuple[str, Region]]:
        return [] if self._scene.zones is None else regions_of(self._scene.zones, self._size)

    @cached_property
    def _relations(self) -> list[tuple[int, int, str]]:
        """Of things, and of things and zones, whose numbers are behind theirs."""
        if self._pairs is None:
            regions = [[*lay._regions, *(region for _, region in lay._zones)] for lay in self._lot]
            for lay, pairs in zip(self._lot, connected(regions), strict=True):
                lay._pairs = pairs
            self._lot.clear()
        assert self._pairs is not None, "it is of its lot"
        of_regions = [pair for pair in self._pairs if pair[0] < len(self._regions)]
        return sorted([*of_regions, *((second, first, CONVERSE.get(name, name)) for first, second, name in of_regions)])

    @property
    def _of_things(self) -> list[tuple[int, int]]:
        return [(first, second) for first, second, _ in self._relations if max(first, second) < len(self._regions)]

    @cached_property
    def _columns(self) -> Mapping[str, list[Any]]:
        """By relation, of which things and zones it holds."""
        columns: dict[str, list[Any]] = {name: [[], []] for name in CONNECTED}
        names = [*self._names, *(name for name, _ in self._zones)]
        for first, second, name in self._relations:
            columns[name][0].append(names[first])
            columns[name][1].append(names[second])
        return columns

    def related(self, relation: str) -> list[Any]:
        return self._columns[relation]

    def touching(self) -> list[Any]:
        pairs, names = self._of_things, self._names
        return [[names[first] for first, _ in pairs], [names[second] for _, second in pairs]]

    def shares(self) -> list[Any]:
        places = list(zip(self._names, self._regions, strict=True))
        inside = [(*places[first], *places[second]) for first, second in self._of_things] if self._scene.given else []
        inside += [(*place, *zone) for place in places for zone in self._zones]
        rows = [(first, second, share_inside(region, other)) for first, region, second, other in inside]
        return _columns([row for row in rows if row[2] >= LEAST])

    def masks_apart(self) -> list[Any]:
        names, regions = self._names, self._regions
        masked = np.array([region.mask is not None for region in regions], dtype=np.bool_)
        every = np.triu_indices(len(names), 1) if len(names) <= MANY else near(self._boxes)
        either = masked[every[0]] | masked[every[1]]
        both = zip(*(indices[either].tolist() for indices in every), strict=True)
        pairs = [(first, second, distance(regions[first], regions[second])) for first, second in both]
        rows = sorted([*pairs, *((second, first, pixels) for first, second, pixels in pairs)])
        return _columns([(names[first], names[second], pixels) for first, second, pixels in rows])


def _columns(rows: Sequence[tuple[str, str, float]]) -> list[Any]:
    return [[row[0] for row in rows], [row[1] for row in rows], np.array([row[2] for row in rows], dtype=np.float64)]


def outside(zones: Zones, size: tuple[int, int]) -> list[str]:
    """Notes on zones that lie outside of a picture of that width and height."""
    within = dict(regions_of(zones, size))
    return [
        f"{zones.where}: the zone {name!r} lies outside of the picture" for name in zones.outlines if name not in within
    ]


@lru_cache(64)
def regions_of(zones: Zones, size: tuple[int, int]) -> list[tuple[str, Region]]:
    """The zones that have pixels of a picture of that width and height, with their names, cut off at its rim."""
    regions = []
    for name, outline in zones.outlines.items():
        left, top, right, bottom = outline.corners
        box = max(left, 0.0), max(top, 0.0), min(right, float(size[0])), min(bottom, float(size[1]))
        if box[0] < box[2] and box[1] < box[3] and (mask := outline.mask(box)).any():
            regions.append((name, Region(np.array(box), mask)))
    return regions
