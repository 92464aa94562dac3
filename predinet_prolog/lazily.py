"""Modules that are imported when something of them is first used.

For what is slow to load and seldom needed, or missing in a browser. It stands at the top of a module, as imports do:

    yaml = lazily("yaml")
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

_modules: dict[str, Any] = sys.modules


def lazily(name: str) -> Any:
    """The module of that name, once something of it is used. For a type checker: anything."""
    return Lazily(name)


class Lazily:
    """What `lazily` gives."""

    __spec__ = None
    """Looked at by who imports it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        if attribute == "__path__":  # asked for by who imports names from it
            raise AttributeError(attribute)
        if _modules.get(self._name) is self:
            del _modules[self._name]
        return getattr(import_module(self._name), attribute)


@contextmanager
def waiting(name: str, module: Lazily) -> Iterator[None]:
    """While it is open, who imports the module of that name gets `module`, unless the other is there already. For the
    imports of other packages, which cannot be written otherwise."""
    _modules.setdefault(name, module)
    try:
        yield
    finally:
        if _modules.get(name) is module:
            del _modules[name]
