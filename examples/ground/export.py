"""The export of the network that tells things from ground: quantised, which takes less than half the time.

Weights have seven bits, so that two products fit in sixteen and every processor has the same sums.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import onnx
import torch
from torch import Tensor, nn

from examples.ground.network import INPUTS, Foreground
from predinet_prolog.neural.glimpses.ground import Field
from predinet_prolog.neural.looking import exported
from predinet_prolog.neural.sessions import quantization

OPERATORS = "Conv", "Relu", "Clip", "Concat", "Resize", "DepthToSpace"
"""Those that are quantised. The inputs are not: in a clean picture, whose light changes slowly, steps between them look
like things."""
FLOATS = "/network/Conv", "/network/backbone/stem/", "/network/backbone/stages.0/", "/network/head/"
"""Nodes that are not, by how their names begin: what is nearest to the inputs, and the last, whose answers are compared
with thresholds."""


class _Answer(nn.Module):
    def __init__(self, network: Foreground) -> None:
        super().__init__()
        self.network = network

    def forward(self, inputs: Tensor) -> Tensor:
        return torch.sigmoid(self.network(inputs))


class _Calibration(quantization.CalibrationDataReader):
    def __init__(self, inputs: Iterable[Field]) -> None:
        self._rest: Iterator[Field] = iter(inputs)

    def get_next(self) -> dict[str, Field] | None:
        inputs = next(self._rest, None)
        return None if inputs is None else {"inputs": inputs[None]}


def graph_of(network: Foreground, calibration: Iterable[Field]) -> bytes:
    """`inputs` (1, 9, H, W) to `likely` (1, 2, H, W), as an ONNX file's bytes. Of the inputs (9, H, W) of `calibration`
    it takes the ranges of what is quantised: from the mean of the least number of each to that of the largest."""
    axes = {"inputs": {2: "height", 3: "width"}, "likely": {2: "height", 3: "width"}}
    model = onnx.load_model_from_string(exported(_Answer(network), (torch.zeros(1, INPUTS, 64, 64),), axes))
    _pad_within(model.graph)
    with TemporaryDirectory() as folder:
        given, prepared, quantised = (Path(folder, f"{number}.onnx") for number in range(3))
        onnx.save(model, given)
        quantization.quant_pre_process(given, prepared, skip_symbolic_shape=True)
        names = [node.name for node in onnx.load(prepared).graph.node if node.name.startswith(FLOATS)]
        quantization.quantize_static(
            prepared,
            quantised,
            _Calibration(calibration),
            quant_format=quantization.QuantFormat.QDQ,
            op_types_to_quantize=OPERATORS,
            nodes_to_exclude=names,
            per_channel=True,
            reduce_range=True,
            activation_type=quantization.QuantType.QUInt8,
            weight_type=quantization.QuantType.QInt8,
            extra_options={"CalibMovingAverage": True},
        )
        return quantised.read_bytes()


def _pad_within(graph: onnx.GraphProto) -> None:
    """What the backbone's convolutions of stride 2 are padded by becomes their own: apart, it is moved about twice."""
    pads = {node.output[0]: node for node in graph.node if node.op_type == "Pad"}
    for node in graph.node:
        if node.op_type != "Conv" or node.input[0] not in pads:
            continue
        given = {attribute.name: attribute for attribute in node.attribute}
        more = given["kernel_shape"].ints[0] - given["strides"].ints[0]
        given["pads"].ints[:] = [more // 2] * 2 + [more - more // 2] * 2
        node.input[0] = pads[node.input[0]].input[0]
    while unused := _unused(graph):
        for node in unused:
            graph.node.remove(node)


def _unused(graph: onnx.GraphProto) -> list[onnx.NodeProto]:
    needed = {name for node in graph.node for name in node.input} | {output.name for output in graph.output}
    return [node for node in graph.node if needed.isdisjoint(node.output)]
