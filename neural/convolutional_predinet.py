"""The PrediNet for large pictures: its queries come from a convolutional net (the paper's Atari agents)."""

from torch import Tensor, nn

from predinet_prolog.neural.errors import NeuralError
from predinet_prolog.neural.predinet import PrediNet

QUERY_FILTERS = (32, 32, 32)
FILTER_SIZE, STRIDE = 3, 2


class ConvolutionalPrediNet(PrediNet):
    """A PrediNet whose queries are linear in what three convolutions make of L, instead of in all of L.

    Shapes: B images, a grid of n = rows · columns windows, m features. Each convolution has stride 2, VALID padding,
    biases and a ReLU. A grid that is too small for three has as many as leave a window. All else is the PrediNet's.
    """

    def __init__(
        self, grid: tuple[int, int], features: int, *, heads: int = 32, relations: int = 16, key_size: int = 16
    ) -> None:
        """For `L` of a `grid` (rows, columns) of windows and m `features`. NeuralError for a grid without room for one
        convolution."""
        layers: list[nn.Module] = []
        channels, (rows, columns) = features, grid
        for filters in QUERY_FILTERS:
            if min(rows, columns) < FILTER_SIZE:
                break
            layers += [nn.Conv2d(channels, filters, FILTER_SIZE, STRIDE), nn.ReLU()]
            channels = filters
            rows, columns = ((side - FILTER_SIZE) // STRIDE + 1 for side in (rows, columns))
        if not layers:
            raise NeuralError(
                f"a grid of {grid[0]} × {grid[1]} windows is too small for a convolution: take a PrediNet"
            )
        super().__init__(
            grid[0] * grid[1],
            features,
            heads=heads,
            relations=relations,
            key_size=key_size,
            query_inputs=channels * rows * columns,
        )
        self.grid = grid
        self.query_net = nn.Sequential(*layers)

    def query_input(self, L: Tensor) -> Tensor:
        """What the convolutions make of `L` (B, n, m): (B, filters · rows · columns) of those left."""
        B, _, m = L.shape
        queries: Tensor = self.query_net(L.transpose(1, 2).reshape(B, m, *self.grid))
        return queries.flatten(1)
