"""The networks as graphs that run without PyTorch. A graph holds no weights: they are given when it is loaded, by the
names of `weight_shapes`."""

import io
import warnings

import onnx
import torch
from torch import Tensor, nn

from neural.glimpses.comparator import Comparator
from neural.glimpses.config import FINDER_INPUTS, GLIMPSE_INPUTS, SIDE, GlimpseConfig, weight_shapes
from neural.glimpses.finder import Finder
from neural.glimpses.graph import DIGEST, digest


class _Finding(nn.Module):
    """The finder's heads, one after the other: salience, own, votes, extent (B, 8, h, w), and doubt."""

    def __init__(self, finder: Finder) -> None:
        super().__init__()
        self.finder = finder

    def forward(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        found = self.finder(inputs)
        heads = [found.salience[:, None], found.own[:, None], found.votes, found.extent]
        return torch.cat(heads, dim=1), found.doubt


class _Comparing(nn.Module):
    """The comparator's mask and co-ordinates."""

    def __init__(self, comparator: Comparator) -> None:
        super().__init__()
        self.comparator = comparator

    def forward(self, glimpses: Tensor) -> tuple[Tensor, Tensor]:
        compared = self.comparator(glimpses)
        return compared.mask, compared.coordinates


def finder_graph(config: GlimpseConfig) -> bytes:
    """`inputs` (1, 6, H, W) to `heads` (1, 8, h, w) and `doubt` (1, H / REACH, W / REACH), as an ONNX file's bytes."""
    axes = {"inputs": {2: "height", 3: "width"}, "heads": {2: "h", 3: "w"}, "doubt": {1: "rows", 2: "columns"}}
    return _graph(_Finding(Finder(config.widths)), torch.zeros(1, FINDER_INPUTS, 96, 96), axes, config)


def comparator_graph(config: GlimpseConfig) -> bytes:
    """`inputs` (G, 7, SIDE, SIDE) to `mask` (G, SIDE, SIDE) and `coordinates` (G, j), as an ONNX file's bytes."""
    axes = {name: {0: "glimpses"} for name in ("inputs", "mask", "coordinates")}
    return _graph(_Comparing(Comparator(config.groups)), torch.zeros(2, GLIMPSE_INPUTS, SIDE, SIDE), axes, config)


def _graph(network: nn.Module, example: Tensor, axes: dict[str, dict[int, str]], config: GlimpseConfig) -> bytes:
    """The graph of `network`, whose one input and outputs have the names and free `axes` given."""
    file = io.BytesIO()
    with warnings.catch_warnings():
        # The exporter that needs no package more is told to go; so it warns.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network.eval(),
            (example,),
            file,  # type: ignore[arg-type]  # it takes files, too
            dynamo=False,
            do_constant_folding=False,
            input_names=["inputs"],
            output_names=list(axes)[1:],
            dynamic_axes=axes,
        )
    model = onnx.load_model_from_string(file.getvalue())
    known = weight_shapes(config)
    for weight in model.graph.initializer:
        if weight.name not in known:
            continue
        weight.ClearField("raw_data")
        weight.data_location = onnx.TensorProto.EXTERNAL
        entry = weight.external_data.add()
        entry.key, entry.value = "location", "given"
    onnx.helper.set_model_props(model, {DIGEST: digest(config)})
    return bytes(model.SerializeToString())
