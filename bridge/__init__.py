"""From the network's propositions to symbols, and from symbols to a Prolog program."""

from bridge.errors import BridgeError
from bridge.mean_shift import mean_shift
from bridge.out_of_distribution import OutOfDistribution, out_of_distribution
from bridge.perceiver import Perceiver
from bridge.program import ImageInfo, is_json_of, is_program_of, warnings_of, write_json, write_program
from bridge.scene import Scene, Symbol

__all__ = [
    "BridgeError",
    "ImageInfo",
    "OutOfDistribution",
    "Perceiver",
    "Scene",
    "Symbol",
    "is_json_of",
    "is_program_of",
    "mean_shift",
    "out_of_distribution",
    "warnings_of",
    "write_json",
    "write_program",
]
