"""Which parts of the attribute loss let a network tell shapes it never saw, judged on pentominoes alone.

    python benchmarks/attribute_loss.py [--steps N]

The encoder and the relations learn from corrupted objects of six of the eight free pentominoes and are judged on the
other two: the balanced accuracy of the best single threshold for same_shape. First on all their orientations in every
colour; then, further from what was trained, with all their parts of four and three squares, every second colour dimmed
to a third. Each row leaves one part of the loss out; the figures are means of three folds. No hexomino and no stripe is
drawn.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations
from unittest.mock import patch

import numpy as np
import torch

from benchmarks.shared import GAME, options, print_head, print_row
from domains.relations_game import attribute_windows, object_set
from neural import NetworkConfig, RelationsNetwork, attribute_loss

HELD_OUT = ((0, 1), (2, 3), (4, 5))
"""Pairs of free shapes kept from training, one fold each."""
ROWS: dict[str, tuple[int, dict[str, float]]] = {
    "as shipped": (64, {}),
    "32 filters": (32, {}),
    "no group lasso": (64, {"locality": 0.0}),
    "no squares of several colours": (64, {"textured": 0.0}),
    "no squares taken away": (64, {"removed": 0.0}),
    "no dimming": (64, {"dimming": 0.0}),
    "no haste": (64, {"haste": 0.0}),
}


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--steps", type=int, default=1500)
    steps = parser.parse_args().steps
    print_head("attribute loss", "unseen pentominoes", "and their parts, dimmed")
    for name, (filters, changes) in ROWS.items():
        with changed(changes):
            scores = np.mean([fold(held_out, filters, steps) for held_out in HELD_OUT], axis=0)
        print_row(name, *scores)


@contextmanager
def changed(numbers: dict[str, float]) -> Iterator[None]:
    """Other tuned numbers, of the loss or of its windows, for the time of the block."""
    shipped = [(module, module.SETTINGS) for module in (attribute_loss, attribute_windows)]
    for module, settings in shipped:
        own = {name: value for name, value in numbers.items() if hasattr(settings, name)}
        module.SETTINGS = replace(settings, **own)
    yield
    for module, settings in shipped:
        module.SETTINGS = settings


def fold(held_out: tuple[int, int], filters: int, steps: int) -> tuple[float, float]:
    """Balanced accuracies on the two free pentominoes numbered `held_out`, and with their parts."""
    network = RelationsNetwork(
        NetworkConfig(heads=1, filters=filters, aligned=True), generator=torch.Generator().manual_seed(0)
    )
    loss = attribute_loss.AttributeLoss(network, GAME, "pentos", augmented=True)
    free = np.repeat(np.arange(8), np.array([8, 8, 4, 4, 4, 4, 1, 4]))  # placed masks of F, P, T, U, V, W, X, Z
    assert len(free) == object_set("pentos").n_shapes
    unseen = torch.tensor(np.isin(free, held_out))
    kind = object_set("pentos")
    masks, palette = attribute_windows.shapes_of(kind), attribute_windows.palette_of(kind)
    weights = [network.encoder.weight, network.encoder.bias, network.predinet.W_S]
    optimiser = torch.optim.Adam(weights, lr=3e-3)
    for step in range(steps):
        optimiser.param_groups[0]["lr"] = 3e-3 * 0.5 * (1 + np.cos(np.pi * step / steps))
        with patch.object(attribute_windows, "shapes_of", lambda _: masks[~unseen]):
            value = loss((0, step), 1 - step / steps)
        optimiser.zero_grad()
        value.backward()
        optimiser.step()
    dimmed = palette * torch.where(torch.arange(len(palette)) % 2 == 0, 1.0, 1 / 3)[:, None]
    return judge(loss, masks[unseen], palette), judge(loss, with_parts(masks[unseen]), dimmed)


def with_parts(masks: torch.Tensor) -> torch.Tensor:
    """The masks (S, 9) and all that is left of them when one square or two are taken away, each once."""
    kept = [torch.ones(9)] + [
        1.0 - torch.eye(9)[list(gone)].sum(0) for k in (1, 2) for gone in combinations(range(9), k)
    ]
    return torch.cat([masks * keep for keep in kept]).unique(dim=0)


def judge(loss: attribute_loss.AttributeLoss, masks: torch.Tensor, palette: torch.Tensor) -> float:
    """Balanced accuracy of same_shape for all `masks` (S, 9) in all colours of `palette` (C, 3)."""
    with torch.no_grad():
        squares = masks[:, None, :, None] * palette[None, :, None]  # (shapes, colours, 9, 3)
        windows = attribute_windows.windows_of(squares, loss.network.encoder.filter_size)
        settings = attribute_windows.SETTINGS
        shape = slice(settings.colour_relations, -settings.look_relations)
        points = loss._coordinates(windows)[:, shape].unflatten(0, squares.shape[:2])
    alike, unlike = distances(points)
    thresholds = np.concatenate([np.sort(alike)[::50], [alike.max()], np.quantile(unlike, np.linspace(0, 0.2, 500))])
    kept = np.searchsorted(np.sort(alike), thresholds, side="right") / len(alike)
    let_in = np.searchsorted(np.sort(unlike), thresholds, side="right") / len(unlike)
    return float(((kept + 1 - let_in) / 2).max())


def distances(points: torch.Tensor) -> tuple[np.ndarray, np.ndarray]:
    """Largest distance on any axis of all pairs of one shape, and of all pairs of two: points (shapes, colours, r)."""
    apart = [(one[:, None] - other[None]).abs().amax(-1).flatten() for one, other in combinations(points, 2)]
    alike = [(one[:, None] - one[None]).abs().amax(-1).flatten() for one in points]
    return torch.cat(alike).numpy(), torch.cat(apart).numpy()


if __name__ == "__main__":
    main()
