"""The reader: tells in words what one thing is, of the glimpse that is cut around it.

Shape, material and size are read in grey, brought to one mean and spread, and of where the thing is; colour of the
colours of the thing's pixels in any order. So no axis can learn which shapes had which colours. Shapes: G glimpses of
SIDE × SIDE pixels, W words of all attributes together.
"""

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional

from predinet_prolog.neural.detector.config import (
    COLOURED,
    COLOURS,
    DROPPED,
    FEATURES,
    FRAME,
    GREY,
    GREY_INPUTS,
    GREY_WIDTHS,
    HIDDEN,
    INPUTS,
    reads,
)
from predinet_prolog.neural.glimpses.comparator import colours_of, pattern_layers
from predinet_prolog.neural.glimpses.config import SIDE, key_of

BRIGHTEST = 4.0
"""How many spreads of a thing's grey anything differs from its mean, at most: where the ground begins is seen, and
neither how far it is from the thing's grey nor which of them is darker, so that nothing tells the thing's colour."""


class Reader(nn.Module):
    """Reads in grey and in colours, and has a layer for the words of every attribute."""

    def __init__(self, words: Mapping[str, tuple[str, ...]], *, normed: bool = False) -> None:
        """`words` by attribute; `normed`: with batch normalisations, for training from the beginning."""
        super().__init__()
        self.grey = pattern_layers(GREY_INPUTS, normed=normed, widths=GREY_WIDTHS)
        self.features = nn.Linear(GREY_WIDTHS[-1] * (SIDE // 8) ** 2, FEATURES)
        self.framed = nn.Linear(FEATURES + FRAME, HIDDEN)
        self.first, self.second = nn.Linear(INPUTS - 2, COLOURS), nn.Linear(COLOURS, COLOURS)
        self.attributes = tuple(words)
        self.words = nn.ModuleDict(
            {key_of(name): nn.Linear(reads(name), len(values)) for name, values in words.items()}
        )

    def forward(self, glimpses: Tensor, frames: Tensor, bands: Tensor) -> Tensor:
        """(G, W), logits: of `glimpses` (G, INPUTS, SIDE, SIDE), `frames` (G, FRAME), and what each of red, green and
        blue weighs in grey, `bands` (G, 3), of sum 1."""
        mine = glimpses[:, 6:7]
        total = mine.sum((2, 3), keepdim=True) + 1e-3
        grey = (glimpses[:, :3] * bands[:, :, None, None]).sum(1, keepdim=True)
        grey = grey - (grey * mine).sum((2, 3), keepdim=True) / total
        spread = ((grey * mine) ** 2).sum((2, 3), keepdim=True) / total
        grey = (grey / (spread + 1e-3).sqrt()).clamp(-BRIGHTEST, BRIGHTEST)
        views = torch.cat([grey.abs(), grey * mine, glimpses[:, 6:]], dim=1)
        pattern = functional.relu(self.features(self.grey(views).flatten(1)))
        pattern = functional.dropout(pattern, DROPPED, self.training)
        form = functional.relu(self.framed(torch.cat([pattern, frames], dim=1)))
        colours = colours_of(glimpses, mine, self.first, self.second)
        logits = []
        for name in self.attributes:
            features = [form] * (name not in COLOURED) + [colours] * (name not in GREY)
            logits.append(self.words[key_of(name)](torch.cat(features, dim=1)))
        return torch.cat(logits, dim=1)
