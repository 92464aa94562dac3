"""The graph of a reader, for onnxruntime, which gives it its weights. That of a finder is as other models have it."""

import torch
from torch import Tensor, nn

from predinet_prolog.neural.detector.config import FRAME, INPUTS, DetectorConfig
from predinet_prolog.neural.detector.reader import Reader
from predinet_prolog.neural.glimpses.config import SIDE
from predinet_prolog.neural.glimpses.export import graph_of


class _Reading(nn.Module):
    """The reader with one grey."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self.reader = reader

    def forward(self, glimpses: Tensor, frames: Tensor) -> Tensor:
        logits: Tensor = self.reader(glimpses, frames, torch.full((1, 3), 1 / 3))
        return logits


def reader_graph(config: DetectorConfig, digest: str) -> bytes:
    """`inputs` (n, INPUTS, SIDE, SIDE) and `frames` (n, FRAME) to `words` (n, W), as an ONNX file's bytes."""
    axes = {name: {0: "things"} for name in ("inputs", "frames", "words")}
    example = (torch.zeros(2, INPUTS, SIDE, SIDE), torch.zeros(2, FRAME))
    return graph_of(_Reading(Reader(config.words)), example, axes, digest)
