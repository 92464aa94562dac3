"""click and dataclasses without `inspect`, which takes as long to load as the rest of them. They use it for help of
several lines and for classes without a docstring."""

from typing import Any

from predinet_prolog.lazily import Lazily, waiting


class _Inspect(Lazily):
    def cleandoc(self, text: str) -> Any:
        """As inspect's, which the help of most options, on one line, need not be loaded for."""
        return self.__getattr__("cleandoc")(text) if "\n" in text else text.expandtabs().lstrip()


with waiting("inspect", _Inspect("inspect")):
    import dataclasses as dataclasses

    import click as click
