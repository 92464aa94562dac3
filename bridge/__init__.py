"""From the network's propositions to symbols, and from symbols to a program, which writers make text of."""

from bridge.errors import BridgeError
from bridge.mean_shift import mean_shift
from bridge.out_of_distribution import OutOfDistribution, out_of_distribution
from bridge.perceiver import Perceiver
from bridge.program import ImageInfo, Program, make_program
from bridge.scene import Scene, Symbol
from bridge.writers.json import write_json
from bridge.writers.prolog import write_prolog

__all__ = [
    "BridgeError",
    "ImageInfo",
    "OutOfDistribution",
    "Perceiver",
    "Program",
    "Scene",
    "Symbol",
    "make_program",
    "mean_shift",
    "out_of_distribution",
    "write_json",
    "write_prolog",
]
