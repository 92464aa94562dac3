"""From the network's propositions to symbols, and from symbols to a Prolog program."""

from bridge.errors import BridgeError
from bridge.mean_shift import mean_shift
from bridge.perceiver import Perceiver
from bridge.program import ImageInfo, write_json, write_program
from bridge.scene import Scene, Symbol

__all__ = [
    "BridgeError",
    "ImageInfo",
    "Perceiver",
    "Scene",
    "Symbol",
    "mean_shift",
    "write_json",
    "write_program",
]
