"""What is connected."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix


def connected_components(graph: coo_matrix, directed: bool) -> tuple[int, NDArray[Any]]:
    """How many components there are, and the number of each place's: as SciPy has them, in the order of their first
    places. Components take the least place as their own, and with it those of others that they touch."""
    least = np.arange(graph.shape[0])
    while True:
        one, other = least[graph.row], least[graph.col]
        if np.array_equal(one, other):
            places, numbers = np.unique(least, return_inverse=True)
            return len(places), numbers
        np.minimum.at(least, np.maximum(one, other), np.minimum(one, other))
        while not np.array_equal(least, further := least[least]):
            least = further
