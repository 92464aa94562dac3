"""What is joined by edges."""

import numpy as np

from predinet_prolog.bridge.scene import IntArray


def connected(count: int, one: IntArray, other: IntArray) -> IntArray:
    """(count,): the number, from 0, of the component that each place is in, in the order of their first places. The
    edges are from `one` (n,) to the `other` (n,). As SciPy's csgraph has it, which takes longer to load than this.

    Components take the least place as their own, and with it those of others that they touch.
    """
    least = np.arange(count)
    while (apart := least[one] != least[other]).any():
        ends = least[one[apart]], least[other[apart]]
        np.minimum.at(least, np.maximum(*ends), np.minimum(*ends))
        while not np.array_equal(least, further := least[least]):
            least = further
    return np.asarray((np.cumsum(least == np.arange(count)) - 1)[least])
