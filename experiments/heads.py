"""What each head of a trained network does: where it looks, what it gives, how much the output listens to it."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from predinet_prolog.domains.relations_game import Scenes
from predinet_prolog.experiments.tables import Columns
from predinet_prolog.neural.config import NetworkConfig
from predinet_prolog.neural.errors import NeuralError
from predinet_prolog.neural.network import NetworkOutput, RelationsNetwork
from predinet_prolog.neural.threads import one_thread

Floats = npt.NDArray[np.float32]

FULL = 0.9
"""A window with more than this share of object pixels counts as object (section S2.2)."""
ON_OBJECTS = 0.9
"""A mask consistently attends to objects if so much of it falls on them, in the mean over images. The paper gives no
number; trained heads lie at 0.99 or below 0.8."""
BATCH = 500


def content_mask(scenes: Scenes, config: NetworkConfig) -> Floats:
    """The paper's content mask (N, n) of `scenes`: 0, 0.5 or 1 for every window of the network (section S2.2).

    0 where no pixel of the window belongs to an object, 1 where more than FULL of them do, 0.5 otherwise. The paper
    does not say which pixels an object contains. Its lit ones cannot be meant: they are at most 81 of a
    window's 144, so no window would ever have a 1. Here they are all of the object's cell, 12 × 12 pixels: a window on
    an occupied cell has a 1, so has one between two occupied cells, one between an occupied and an empty cell 0.5.
    """
    share = _window_means(scenes.occupied, config)
    return np.where(share > FULL, 1.0, np.where(share > 0, 0.5, 0.0)).astype(np.float32)


def object_windows(scenes: Scenes, config: NetworkConfig) -> npt.NDArray[np.int64]:
    """The cell (N, n), 0 to 8, of the object that each window shows whole and alone; −1 of every other window."""
    cells = np.full(scenes.occupied.shape[1], -1)
    cell_of = np.full((len(scenes), config.side**2), -1)
    for cell in range(len(cells)):
        alone = np.zeros((1, len(cells)), dtype=np.bool_)
        alone[0, cell] = True
        (window,) = np.nonzero(_window_means(alone, config)[0] == 1.0)
        cell_of[:, window] = np.where(scenes.occupied[:, [cell]], cell, -1)
    return cell_of


@one_thread()
def attention_masks(network: RelationsNetwork, images: npt.NDArray[np.uint8]) -> Floats:
    """Both masks of every head (N, k, 2, n), 0–1, for `images` (N, S, S, 3); NeuralError of a baseline."""
    masks = []
    for output in _outputs(network, images):
        if output.propositions is None:
            raise NeuralError(f"only a PrediNet has pairs of masks, and this is {network.config.architecture}")
        masks.append(output.propositions.attention.cpu().numpy())
    return np.concatenate(masks)


@one_thread()
def head_outputs(network: RelationsNetwork, images: npt.NDArray[np.uint8]) -> Floats:
    """What every head gives to the output MLP (N, k, j + 4), for `images` (N, S, S, 3).

    Of a PrediNet the head's D, P1 and P2; of multi-head attention the head's summed values. The other baselines have
    no heads: NeuralError.
    """
    check_heads(network.config)
    k = network.config.heads
    return np.concatenate([output.flat.cpu().numpy() for output in _outputs(network, images)]).reshape(
        len(images), k, -1
    )


def check_heads(config: NetworkConfig) -> None:
    """NeuralError if the network's central module is not made of heads."""
    if config.architecture not in ("predinet", "attention"):
        raise NeuralError(f"{config.architecture} has no heads: choose predinet or attention")


def output_weights(network: RelationsNetwork) -> Floats:
    """Mean absolute weight (k,) from each head's output to the hidden layer of the output MLP (figure S10, bottom)."""
    weights = head_weights(network).abs().mean((1, 2))
    return weights.cpu().numpy()


def head_weights(network: RelationsNetwork) -> Tensor:
    """The output MLP's first weights by head, (k, j + 4, hidden); those of the task id left out."""
    check_heads(network.config)
    weight = network.output.hidden_weight.detach()  # (k(j + 4) + task ids, hidden)
    of_heads = weight[: len(weight) - network.config.task_ids]
    return of_heads.view(network.config.heads, -1, weight.shape[1])


def head_statistics(network: RelationsNetwork, scenes: Scenes) -> Columns:
    """What the k heads of a PrediNet attend to in `scenes` (section S2.2, figure S10): columns of length k.

    - `content_1`, `content_2`: how much of a mask falls on objects, 0–1, mean over the images; `…_sd` the deviation
    - `position_1`, `position_2`: a mask's place in the position mask, 0 to n − 1; `…_sd` the deviation
    - `weights`: mean absolute output weights
    - `pairs`: share of images in which the two masks lie, each by more than half, on two different objects. Ours: the
      content mask cannot tell two objects from one that is picked twice
    - `centred`, `partial`, `diffuse`: share of the masks that lie by more than half on a window that shows one object
      whole, on one that shows a part of an object or objects, and on no window
    """
    attention = attention_masks(network, scenes.render())
    content = content_mask(scenes, network.config)
    # Each attention mask applied to the content mask and to the position mask, every window's number, and summed.
    positions = np.broadcast_to(np.arange(attention.shape[-1], dtype=np.float32), content.shape)
    columns: Columns = {"head": np.arange(attention.shape[1])}
    for name, mask in (("content", content), ("position", positions)):
        on = np.einsum("bhmn,bn->bhm", attention, mask)
        for which in (0, 1):
            column = f"{name}_{which + 1}"
            columns |= {column: on[..., which].mean(0), f"{column}_sd": on[..., which].std(0)}

    strongest = attention.argmax(-1)  # (N, k, 2)
    focal = attention.max(-1) > 0.5
    rows = np.arange(len(scenes))[:, None, None]
    objects = np.where(focal, object_windows(scenes, network.config)[rows, strongest], -1)  # (N, k, 2)
    parts = focal & (objects < 0) & (content[rows, strongest] > 0)
    return columns | {
        "weights": output_weights(network),
        "pairs": ((objects >= 0).all(2) & (objects[..., 0] != objects[..., 1])).mean(0, dtype=np.float32),
        "centred": (objects >= 0).mean((0, 2), dtype=np.float32),
        "partial": parts.mean((0, 2), dtype=np.float32),
        "diffuse": (~focal).mean((0, 2), dtype=np.float32),
    }


def object_heads(heads: Columns) -> npt.NDArray[np.bool_]:
    """(k,): the heads both of whose masks consistently attend to objects (section S2.2)."""
    return np.minimum(heads["content_1"], heads["content_2"]) >= ON_OBJECTS


def _outputs(network: RelationsNetwork, images: npt.NDArray[np.uint8]) -> Iterator[NetworkOutput]:
    """The network's outputs, batch after batch, asked the first task."""
    where = network.encoder.weight.device
    with torch.inference_mode():
        for start in range(0, len(images), BATCH):
            batch = torch.from_numpy(images[start : start + BATCH]).to(where)
            yield network(batch, torch.zeros(len(batch), dtype=torch.int64, device=where))


def _window_means(occupied: npt.NDArray[np.bool_], config: NetworkConfig) -> Floats:
    """Share (N, n) of each window's pixels that belong to occupied cells (N, 9)."""
    side = int(occupied.shape[1] ** 0.5)
    cell = config.image_size // side
    grid = torch.from_numpy(occupied).float().view(-1, 1, side, side)
    pixels = grid.repeat_interleave(cell, 2).repeat_interleave(cell, 3)
    return functional.avg_pool2d(pixels, config.filter_size, config.stride).flatten(1).numpy()
