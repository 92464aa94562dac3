"""From the network's propositions to symbols, and from symbols to a program, which writers make text of.

What is named here is imported when it is asked for: to read the header of a program takes none of it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from predinet_prolog.bridge.errors import BridgeError as BridgeError
    from predinet_prolog.bridge.perceiving.perceiver import Perceiver as Perceiver
    from predinet_prolog.bridge.perceiving.perceiver import perceiver_of as perceiver_of
    from predinet_prolog.bridge.program import ImageInfo as ImageInfo
    from predinet_prolog.bridge.program import Program as Program
    from predinet_prolog.bridge.program import make_program as make_program
    from predinet_prolog.bridge.scene import Scene as Scene
    from predinet_prolog.bridge.scene import Thing as Thing
    from predinet_prolog.bridge.writers.json import write_json as write_json
    from predinet_prolog.bridge.writers.prolog import write_program as write_program
    from predinet_prolog.bridge.writers.prolog import write_prolog as write_prolog

_NAMES = {
    "errors": ("BridgeError",),
    "perceiving.perceiver": ("Perceiver", "perceiver_of"),
    "program": ("ImageInfo", "Program", "make_program"),
    "scene": ("Scene", "Thing"),
    "writers.json": ("write_json",),
    "writers.prolog": ("write_program", "write_prolog"),
}
"""By their modules."""


def __getattr__(name: str) -> object:
    for module, names in _NAMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
