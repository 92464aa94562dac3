"""scipy.ndimage, loaded in half the time.

SciPy's import adds a note to each function's documentation, and for arrays of other libraries it copies all that NumPy
has, down to its compiler of Fortran. Here the documentation stays as it was written, and those are left out.
Afterwards both are as they were.
"""

import sys
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy

_LEFT_OUT = {"f2py", "ma", "testing"}


class _Written:
    """A function's documentation as it was written."""

    def __init__(self, function: object) -> None:
        self._text = function.__doc__

    def __getitem__(self, section: str) -> list[str]:
        return []

    def __str__(self) -> str:
        return f"\n{self._text}"


def _loaded() -> ModuleType:
    documentation = import_module("scipy._lib._docscrape")
    names, members, parsed = numpy.__all__, numpy.__dir__, documentation.FunctionDoc
    copied = [name for name in members() if name not in _LEFT_OUT]
    vars(numpy).update(__all__=[name for name in names if name in copied], __dir__=lambda: copied)
    vars(documentation)["FunctionDoc"] = _Written
    try:
        return import_module("scipy.ndimage")
    finally:
        vars(numpy).update(__all__=names, __dir__=members)
        for module in [*sys.modules.values()]:
            if getattr(module, "__dict__", {}).get("FunctionDoc") is _Written:
                vars(module)["FunctionDoc"] = parsed


with suppress(Exception):  # another SciPy, which is loaded as it is
    _loaded()
_NDIMAGE = import_module("scipy.ndimage")


def __getattr__(name: str) -> Any:
    return getattr(_NDIMAGE, name)
