"""pathlib without `urllib.parse`, which takes longer to load than it, for URLs of paths alone."""

from typing import Any

from predinet_prolog.lazily import Lazily, waiting


class _Parse(Lazily):
    def quote_from_bytes(self, *given: Any, **named: Any) -> Any:
        """As that of urllib.parse."""
        return self.__getattr__("quote_from_bytes")(*given, **named)


with waiting("urllib.parse", _Parse("urllib.parse")):
    import pathlib as pathlib
