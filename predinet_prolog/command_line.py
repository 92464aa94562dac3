"""click and dataclasses without `inspect` and `uuid`, which take as long to load as the rest of them. They use one for
help of several lines and for classes without a docstring, the other for options that are such identifiers.
"""

from typing import Any

from predinet_prolog.lazily import Lazily, waiting


class _Inspect(Lazily):
    def cleandoc(self, text: str) -> Any:
        """As inspect's, which the help of most options, on one line, need not be loaded for."""
        return self.__getattr__("cleandoc")(text) if "\n" in text else text.expandtabs().lstrip()


class _Uuid(Lazily):
    UUID: Any = object
    """What click names in an annotation."""


with waiting("inspect", _Inspect("inspect")), waiting("uuid", _Uuid("uuid")):
    import dataclasses as dataclasses

    import click as click
del _Uuid.UUID  # from now on the true one
