"""Things that come in kinds, as cards do: whether two are alike is judged among all things of their picture.

By a threshold alone A may be alike to B and B to C, and C not to A. So the nearest things are taken together, one pair
after the other, while their means lie within the threshold or are more than an attribute has values; then each lies in
the mean of those that it was taken together with (agglomerative clustering by centroids), and alike is who lies at the
same place.
"""

from dataclasses import replace

import numpy as np

from predinet_prolog.bridge.definitions import Grounding
from predinet_prolog.bridge.glimpses.sizes import coarse
from predinet_prolog.bridge.scene import FloatArray, Scene


def gathered(scene: Scene, grounding: Grounding) -> Scene:
    """The scene with its things in the means of their kinds, on the axes of every trusted predicate."""
    if len(scene.things) < 2:
        return scene
    places = np.array([thing.coordinates for thing in scene.things])
    least = float(coarse(scene.boxes, scene.block).max())
    for definition in grounding.trusted:
        room = definition.curve.threshold + definition.slack * scene.noise_level + definition.grain * least
        axes = list(definition.relations)
        places[:, axes] = means_of(places[:, axes], room, grounding.kinds)
    things = (replace(thing, coordinates=place) for thing, place in zip(scene.things, places, strict=True))
    return replace(scene, things=tuple(things))


def means_of(places: FloatArray, room: float, most: int) -> FloatArray:
    """(n, j): of each of `places` (n, j) the mean of its kind, `most` in all, any two over `room` apart."""
    kinds = [[number] for number in range(len(places))]
    means = places.copy()
    while len(kinds) > 1:
        apart = np.abs(means[:, None] - means).max(axis=2)
        np.fill_diagonal(apart, np.inf)
        first, second = sorted(divmod(int(apart.argmin()), len(kinds)))
        if apart[first, second] > room and len(kinds) <= most:
            break
        kinds[first] += kinds.pop(second)
        means = np.delete(means, second, axis=0)
        means[first] = places[kinds[first]].mean(axis=0)
    whole = places.copy()
    for numbers, mean in zip(kinds, means, strict=True):
        whole[numbers] = mean
    return whole
