"""From the network's propositions to symbols, and from symbols to a program, which writers make text of.

What is named here is imported when it is asked for: to read the header of a program takes none of it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bridge.errors import BridgeError
    from bridge.perceiver import Perceiver
    from bridge.program import ImageInfo, Program, make_program
    from bridge.scene import Scene, Symbol
    from bridge.writers.json import write_json
    from bridge.writers.prolog import write_program, write_prolog

_MODULES = {
    "BridgeError": "errors",
    "ImageInfo": "program",
    "Perceiver": "perceiver",
    "Program": "program",
    "Scene": "scene",
    "Symbol": "scene",
    "make_program": "program",
    "write_json": "writers.json",
    "write_program": "writers.prolog",
    "write_prolog": "writers.prolog",
}

__all__ = [
    "BridgeError",
    "ImageInfo",
    "Perceiver",
    "Program",
    "Scene",
    "Symbol",
    "make_program",
    "write_json",
    "write_program",
    "write_prolog",
]


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
