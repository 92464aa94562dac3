"""The colours of every picture of a scene."""

from predinet_prolog.bridge import Scene

PAPER, INK, FAINT, WRONG = "#ffffff", "#22262b", "#8b929b", "#c8102e"
PALETTE = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#e8790c", "#0e9aa7", "#d6559f", "#8c564b", "#9a9a12")
"""One colour for each object: all tell apart from each other on a dark image and on white paper."""


def tints(scene: Scene) -> dict[str, str]:
    """Each symbol's colour; background is grey."""
    grey = {symbol.name: FAINT for symbol in scene.background}
    return grey | {thing.name: PALETTE[index % len(PALETTE)] for index, thing in enumerate(scene.things)}
