"""The auxiliary losses: what coverage and centring ask of masks and windows."""

import torch

from neural.auxiliary_losses import SETTINGS, centring_loss, coverage_loss

WINDOWS = 25


def test_coverage_is_zero_when_every_window_is_attended_and_ignores_blank_ones() -> None:
    shown = torch.zeros(1, WINDOWS)
    lit = [0, 1, 5, 6]  # the windows that overlap the only object
    shown[0, lit] = torch.tensor([1.0, 0.5, 0.5, 0.3])
    everywhere = torch.eye(WINDOWS)[None]
    assert coverage_loss(shown, everywhere).abs() < 1e-5
    only_there = torch.zeros(1, 4, WINDOWS)
    only_there[0, range(4), lit] = 1
    assert coverage_loss(shown, only_there).abs() < 1e-5, "blank windows need no mask"
    away = everywhere.clone()
    away[..., lit] = 0
    assert coverage_loss(shown, away) > 10
    assert not coverage_loss(torch.zeros(1, WINDOWS), away).any(), "an image of nothing"


def test_coverage_leads_the_masks_and_not_the_features() -> None:
    shown, masks = torch.rand(2, WINDOWS, requires_grad=True), torch.rand(2, 3, WINDOWS, requires_grad=True)
    coverage_loss(shown, masks).backward()  # type: ignore[no-untyped-call]
    assert shown.grad is None
    assert masks.grad is not None
    assert ((masks.grad != 0).sum(1) == 1).all(), "the mask that reaches a window most"


def test_centring_asks_only_windows_between_cells() -> None:
    def loss(**content: float) -> float:
        grid = torch.zeros(1, WINDOWS)
        for window, value in content.items():
            grid[0, int(window.removeprefix("w"))] = value
        return centring_loss(grid).item()

    centred = SETTINGS.centred
    assert loss(w0=1.0) == 0, "a cell alone"
    assert abs(loss(w0=1.0, w1=centred)) < 1e-5, "window 1 overlaps cells 0 and 2"
    assert abs(loss(w0=1.0, w1=1.0) - (1 - centred)) < 1e-5
    assert abs(loss(w0=0.2, w2=1.0, w1=centred)) < 1e-5, "the richer neighbour decides"
    assert abs(loss(w24=1.0, w6=0.5) - 0.5) < 1e-5, "window 6 overlaps cells 0, 2, 10, 12 only"
