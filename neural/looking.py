"""What a look at images asks of the network, in PyTorch, and its export as the graph that `neural.graph` runs."""

import io
import warnings
from collections.abc import Mapping

import onnx
import torch
from torch import Tensor, nn
from torch.nn.utils.parametrize import register_parametrization

from predinet_prolog.neural.config import INPUTS, OUTPUTS, NetworkConfig, graph_digest
from predinet_prolog.neural.encoder import objectness, with_places
from predinet_prolog.neural.network import RelationsNetwork
from predinet_prolog.neural.sessions import DIGEST, optimised


class _Turned(nn.Module):
    """A weight that is kept column by column: onnxruntime takes a third of the time for a product with it."""

    def forward(self, kept: Tensor) -> Tensor:
        return kept.T

    def right_inverse(self, weight: Tensor) -> Tensor:
        return weight.T.contiguous()


class Looking(nn.Module):
    """The encoder and PrediNet of a network, and what stands between them when symbols are looked for.

    Shapes: B images of S × S pixels, a grid of s × s windows (n = s²), k heads, j relations.
    """

    rows: Tensor
    """(S, s): 1 where a row of windows covers a row of pixels, else 0."""
    columns: Tensor
    """(s, S·3): the same of columns, for each channel."""

    def __init__(self, network: RelationsNetwork) -> None:
        super().__init__()
        config = network.config
        self.config, self.encoder, self.predinet = config, network.encoder, network.predinet
        pixels, starts = torch.arange(config.image_size), torch.arange(config.side) * config.stride
        covers = (starts <= pixels[:, None]) & (pixels[:, None] < starts + config.filter_size)
        self.register_buffer("rows", covers.float(), persistent=False)
        self.register_buffer("columns", covers.float().repeat_interleave(3, dim=0).T, persistent=False)

    def forward(self, images: Tensor, blanked: Tensor, least: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Masks (B, k, 2, n), objectness (B, n) and appearance co-ordinates (B, n, j) of `images` (B, S, S, 3), 0–255.

        The pixels of the windows `blanked` (B, n) are made background first. Images that have no window of more
        objectness than `least` (B,) are not attended: their masks are 0.
        """
        size, side = self.config.image_size, self.config.side
        covered = self.rows.float() @ blanked.float().view(-1, side, side) @ self.columns.float()  # (B, S, S·3)
        # As large as the images: onnxruntime takes several times as long for a factor that it repeats itself.
        kept = (covered == 0).view(images.shape[0], size, size, 3).float()
        foreground = self.encoder.foreground(images) * kept
        # An image that shows nothing, as most do once their objects are blanked, is not looked at window by window. The
        # first is: a graph does not reshape nothing.
        first = torch.arange(images.shape[0], device=images.device) == 0
        (inked,) = ((foreground.flatten(1).abs().amax(1) > 0) | first).nonzero(as_tuple=True)
        foreground, blank = foreground[inked], self.encoder.blank_features()
        features = blank.repeat(images.shape[0], self.config.windows, 1)
        features[inked] = self.encoder.features(foreground)
        objects = torch.zeros(images.shape[0], self.config.windows, dtype=blank.dtype, device=blank.device)
        objects[inked] = objectness(features[inked], blank, self.encoder.wholeness(foreground))
        (shows,) = (objects.amax(1) > least).nonzero(as_tuple=True)
        masks = torch.zeros(
            images.shape[0], self.config.heads, 2, self.config.windows, dtype=objects.dtype, device=objects.device
        )
        masks[shows] = self.predinet.attend(with_places(features[shows], side, side))
        return masks, objects, self.predinet.coordinates(features)


def graph_bytes(config: NetworkConfig) -> bytes:
    """The ONNX graph of `Looking` in double precision; its weights are inputs, under their names in a checkpoint."""
    looking = Looking(RelationsNetwork(config)).double().eval().requires_grad_(False)
    for name in ("W_Q1", "W_Q2"):
        register_parametrization(looking.predinet, name, _Turned())
    # Pictures that show something: with one index alone, the exporter would write another assignment.
    images = torch.zeros(2, config.image_size, config.image_size, 3, dtype=torch.uint8)
    images[:, ::2] = 100
    blanked = torch.zeros(2, config.windows, dtype=torch.bool)
    inputs = images, blanked, torch.full((2,), -1.0).double()
    axes = {name: {0: "images"} for name in (*INPUTS, *OUTPUTS)}
    graph = onnx.load_from_string(optimised(exported(looking, inputs, axes, weights=False)))
    onnx.helper.set_model_props(graph, {DIGEST: graph_digest(config)})
    return bytes(graph.SerializeToString())


def exported(
    network: nn.Module, example: tuple[Tensor, ...], axes: Mapping[str, Mapping[int, str]], *, weights: bool = True
) -> bytes:
    """The ONNX graph of `network`, whose inputs, as many as there are of `example`, and outputs have the names and free
    `axes` given, in their order; without `weights`, these are inputs, too."""
    names = list(axes)
    file = io.BytesIO()
    with warnings.catch_warnings():
        # The exporter that can keep weights out of the graph, and needs no package more, is told to go; so it warns.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network.eval(),
            example,
            file,  # type: ignore[arg-type]  # it takes files, too
            dynamo=False,
            export_params=weights,
            do_constant_folding=False,
            input_names=names[: len(example)],
            output_names=names[len(example) :],
            dynamic_axes=axes,
        )
    return file.getvalue()
