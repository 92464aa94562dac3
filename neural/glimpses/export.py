"""The networks as graphs that run without PyTorch. A graph holds no weights: they are given when it is loaded, by the
names of `weight_shapes`.

The comparator's graph computes in double precision. Processors add up in orders of their own; in single precision the
sums differ in digits that programs show, in double a thousand million times less. The finder's computes in single
precision, in a third of the time: thresholds decide what it finds, and its boxes lie on sixteenths of a pixel."""

from collections.abc import Mapping
from functools import partial, reduce
from typing import Any

import onnx
import torch
from torch import Tensor, nn
from torch.nn import functional

from predinet_prolog.neural.glimpses.comparator import Comparator
from predinet_prolog.neural.glimpses.config import FINDER_INPUTS, GLIMPSE_INPUTS, SIDE, GlimpseConfig
from predinet_prolog.neural.glimpses.finder import Finder
from predinet_prolog.neural.looking import exported
from predinet_prolog.neural.sessions import DIGEST

END = 2**63 - 1
"""Where a slice goes to the end."""
NARROW = 32
"""Channels up to which the graph is faster with the rows of a convolution apart."""


class _Finding(nn.Module):
    """The finder's heads, one after the other: salience, own, votes, extent (B, 8, h, w), and doubt."""

    def __init__(self, finder: Finder) -> None:
        super().__init__()
        self.finder = finder

    def forward(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        maps = self.finder(inputs)
        return maps.heads.double(), maps.doubt.double()


class _Comparing(nn.Module):
    def __init__(self, comparator: Comparator) -> None:
        super().__init__()
        self.comparator = comparator

    def forward(self, glimpses: Tensor, upright: Tensor, evidence: Tensor) -> tuple[Tensor, Tensor]:
        compared = self.comparator(glimpses.double(), upright, evidence.double())
        return compared.mask, compared.coordinates


def finder_graph(config: GlimpseConfig, digest: str) -> bytes:
    """`inputs` (1, 6, H, W) to `heads` (1, 8, h, w) and `doubt` (1, H / REACH, W / REACH), as an ONNX file's bytes."""
    axes = {"inputs": {2: "height", 3: "width"}, "heads": {2: "h", 3: "w"}, "doubt": {1: "rows", 2: "columns"}}
    return graph_of(_Finding(Finder(config.widths)), (torch.zeros(1, FINDER_INPUTS, 96, 96),), axes, digest)


def comparator_graph(config: GlimpseConfig, digest: str) -> bytes:
    """`inputs` (G, 7, SIDE, SIDE), `upright` (SIDE · SIDE,) and `evidence` (G, SIDE, SIDE), as the comparator has them,
    to `mask` (G, SIDE, SIDE) and `coordinates` (G, j), as an ONNX file's bytes."""
    free = {0: "glimpses"}
    axes = {"inputs": free, "upright": {}, "evidence": free, "mask": free, "coordinates": free}
    comparing = _Comparing(Comparator(config.groups)).double()
    _replace(comparing)
    example = torch.zeros(2, GLIMPSE_INPUTS, SIDE, SIDE), torch.arange(SIDE * SIDE), torch.zeros(2, SIDE, SIDE)
    return graph_of(comparing, example, axes, digest)


def graph_of(
    network: nn.Module, example: tuple[Tensor, ...], axes: Mapping[str, Mapping[int, str]], digest: str
) -> bytes:
    """The graph that is `exported`. It lacks the network's weights, and has that digest."""
    model, weights = onnx.load_model_from_string(exported(network, example, axes)), network.state_dict()
    for weight in model.graph.initializer:
        if weight.name not in weights:
            continue
        weight.ClearField("raw_data")
        weight.data_location = onnx.TensorProto.EXTERNAL
        entry = weight.external_data.add()
        entry.key, entry.value = "location", "given"
    _share_constants(model.graph)
    onnx.helper.set_model_props(model, {DIGEST: digest})
    return bytes(model.SerializeToString())


def _share_constants(graph: onnx.GraphProto) -> None:
    """Keeps one of equal constants: half of the graph's bytes, and of the time that loading it takes."""
    kept: dict[bytes, str] = {}
    names: dict[str, str] = {}
    for node in list(graph.node):
        for place, name in enumerate(node.input):
            node.input[place] = names.get(name, name)
        if node.op_type == "Constant":
            (name,) = node.output
            names[name] = kept.setdefault(node.attribute[0].t.SerializeToString(), name)
            if names[name] != name:
                graph.node.remove(node)


def _replace(network: nn.Module) -> None:
    """Puts what onnxruntime can do in double precision in the place of what it cannot."""
    for module in network.modules():
        if isinstance(module, nn.Conv2d):
            module.forward = partial(_Product.apply, module.weight, module.bias, module.stride[0])  # type: ignore[method-assign]
        elif isinstance(module, nn.Upsample):
            module.forward = _Repeated.apply  # type: ignore[method-assign]


class _Product(torch.autograd.Function):
    """A convolution, which is exported as a product."""

    @staticmethod
    def forward(ctx: Any, weight: Tensor, bias: Tensor, stride: int, x: Tensor) -> Tensor:
        return functional.conv2d(x, weight, bias, stride, weight.shape[2] // 2)

    @staticmethod
    def symbolic(g: Any, weight: Any, bias: Any, stride: int, x: Any) -> Any:
        """The nodes: (c', size² · c) of the weights by (B, size² · c, h · w), what each place has around it. With few
        channels, each row of the weights, (c', size · c), by what each place has beside it: less is copied."""

        def ints(*values: int) -> Any:
            return g.op("Constant", value_t=torch.tensor(values))

        wide, before, size, _ = weight.type().sizes()
        by_row = size > 1 and stride == 1 and before <= NARROW
        firsts = [(ints(first), ints(first + 1 - size or END)) for first in range(size)]
        if size > 1:
            rim = size // 2
            x = g.op("Pad", x, ints(0, 0, rim, rim, 0, 0, rim, rim))
            for axis in (3,) if by_row else (3, 2):
                parts = [g.op("Slice", x, first, end, ints(axis), ints(stride)) for first, end in firsts]
                x = g.op("Concat", *parts, axis_i=1)
        order = [2, 0, 3, 1] if by_row else [0, 2, 3, 1]
        kernel = g.op("Reshape", g.op("Transpose", weight, perm_i=order), ints(size * wide if by_row else wide, -1))
        products = g.op("MatMul", kernel, g.op("Reshape", x, ints(0, 0, -1)))
        products = g.op("Reshape", products, g.op("Concat", ints(0, -1), g.op("Shape", x, start_i=2), axis_i=0))
        if by_row:
            rows = [g.op("Slice", products, ints(row * wide), ints((row + 1) * wide), ints(1)) for row in range(size)]
            rows = [g.op("Slice", row, *ends, ints(2)) for row, ends in zip(rows, firsts, strict=True)]
            products = reduce(partial(g.op, "Add"), rows)
        return g.op("Add", products, g.op("Reshape", bias, ints(-1, 1, 1)))


class _Repeated(torch.autograd.Function):
    """Each place four times, which is exported as four times the channels in its place."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return functional.interpolate(x, scale_factor=2.0, mode="nearest")

    @staticmethod
    def symbolic(g: Any, x: Any) -> Any:
        return g.op("DepthToSpace", g.op("Concat", x, x, x, x, axis_i=1), blocksize_i=2)
