"""Modules that are imported when something of them is first used.

For what is slow to load and seldom needed, or missing in a browser. It stands at the top of a module, as imports do:

    yaml = lazily("yaml")
"""

from importlib import import_module
from typing import Any


def lazily(name: str) -> Any:
    """The module of that name, once something of it is used. For a type checker: anything."""
    return _Lazily(name)


class _Lazily:
    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(import_module(self._name), attribute)
