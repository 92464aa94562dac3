"""What the finder is taught: a bump at every thing's middle, whose each place is, where middles lie, how far things
reach, and where there are no separate things at all. Shapes as in finder.py; T things at most in a picture."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from predinet_prolog.neural.glimpses.config import REACH, STRIDE
from predinet_prolog.neural.glimpses.finder import Found

SPREAD = 0.12
"""Deviation of a bump as a share of the thing's long side …"""
LEAST, MOST = 1.5, 4.0
"""… and its bounds in pixels."""
CLUTTER = 255
"""The owner of what shows no separate things."""
UNTOLD = 254
"""The owner of what shows a thing or ground, it is not told which."""


@dataclass(frozen=True)
class Targets:
    """The truth of B pictures."""

    owner: Tensor
    """(B, H, W) integers: the number of each pixel's thing, from 1; 0 is ground, CLUTTER clutter; UNTOLD."""
    boxes: Tensor
    """(B, T, 4): left, top, right, bottom in pixels; zeros where a picture has fewer things."""
    middles: Tensor | None = None
    """(B, T, 2): where each thing's middle is, x and y, if that of what it shows is not meant."""


def finding_loss(maps: Found, targets: Targets) -> Tensor:
    """A scalar ≥ 0."""
    owner = targets.owner[:, ::STRIDE, ::STRIDE]
    clutter = owner == CLUTTER
    judged = (~clutter).float()
    covered = ((owner > 0) & (owner < UNTOLD)).float()
    boxes = targets.boxes
    real = boxes[..., 2] > boxes[..., 0]  # (B, T)
    size = (boxes[..., 2:] - boxes[..., :2]).clamp_min(1)  # (B, T, 2)
    boxed_at = (boxes[..., 2:] + boxes[..., :2]) / 2
    middle = boxed_at if targets.middles is None else targets.middles
    h, w = owner.shape[1:]
    x, y = (torch.arange(n, dtype=torch.float32, device=owner.device) * STRIDE + 0.5 for n in (w, h))
    deviation = (size.amax(-1) * SPREAD).clamp(LEAST, MOST)[..., None]  # (B, T, 1)
    across = torch.exp(-(((x - middle[..., :1]) / deviation) ** 2) / 2) * real[..., None]  # (B, T, w)
    down = torch.exp(-(((y - middle[..., 1:]) / deviation) ** 2) / 2)  # (B, T, h)
    bumps = down[..., :, None] * across[..., None, :]  # (B, T, h, w)
    bump, nearest = bumps.max(1)  # (B, h, w)
    salience = _focal(maps.salience, bump, judged, real.sum())

    rows = nearest.flatten(1)
    at = _of_thing(torch.cat([boxed_at, size], dim=-1), rows).reshape(-1, h, w, 4)
    weight = (bump > 0.3).float() * bump * judged
    places = torch.stack([x.expand(1, h, w), y[:, None].expand(1, h, w)], dim=-1)  # (1, h, w, 2)
    offset = at[..., :2] - places
    extent = maps.extent.permute(0, 2, 3, 1)
    scale = at[..., 2:].amax(-1, keepdim=True).clamp_min(4)
    misplaced = (extent[..., :2] - offset).abs() / scale * 4
    misjudged = (extent[..., 2:] - at[..., 2:].log()).abs() * 2
    boxed = ((misplaced + misjudged).sum(-1) * weight).sum() / weight.sum().clamp_min(1)

    mine = (owner - 1).clamp(0, boxes.shape[1] - 1).flatten(1)
    of_owner = _of_thing(torch.cat([middle, size], dim=-1), mine).reshape(-1, h, w, 4)
    wanted = of_owner[..., :2] - places
    votes = (maps.votes.permute(0, 2, 3, 1) - wanted).abs() / of_owner[..., 2:].amax(-1, keepdim=True).clamp_min(4) * 4
    voted = (votes.sum(-1) * covered).sum() / covered.sum().clamp_min(1)

    owned = functional.binary_cross_entropy_with_logits(maps.ownership, covered, weight=judged * (owner != UNTOLD))
    share = functional.avg_pool2d((targets.owner == CLUTTER).float()[:, None], REACH)[:, 0]
    doubt = functional.binary_cross_entropy_with_logits(
        maps.doubt, (share > 0.5).float(), weight=((share - 0.5).abs() > 0.2).float()
    )
    return torch.as_tensor(salience + boxed + voted + 3 * owned + doubt)


def _focal(logits: Tensor, bump: Tensor, judged: Tensor, things: Tensor) -> Tensor:
    """CenterNet's focal loss: places near a middle count less as wrong."""
    p = torch.sigmoid(logits)
    peak = (bump > 0.9).float()
    hit = functional.logsigmoid(logits) * (1 - p) ** 2 * peak
    miss = functional.logsigmoid(-logits) * p**2 * (1 - bump) ** 4 * (1 - peak) * judged
    return -(hit.sum() / peak.sum().clamp_min(1) + miss.sum() / things.clamp_min(1))


def _of_thing(values: Tensor, rows: Tensor) -> Tensor:
    """(B, P, c): what `values` (B, T, c) has at `rows` (B, P)."""
    return values.gather(1, rows[..., None].long().expand(-1, -1, values.shape[-1]))
