"""What this project asks of SciPy's sparse matrices, which need a library of 6 MB: edges between numbered places."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


class coo_matrix:  # noqa: N801 (the name there)
    """Which places have an edge."""

    def __init__(
        self, edges: tuple[NDArray[np.bool_], tuple[NDArray[Any], NDArray[Any]]], shape: tuple[int, int]
    ) -> None:
        _, (self.row, self.col) = edges
        self.shape = shape
