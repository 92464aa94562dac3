"""What other packages bring: their entry points, by group and name."""

from collections.abc import Callable, Iterable
from typing import Any

from predinet_prolog.lazily import lazily

metadata = lazily("importlib.metadata")


def entry_points(group: str) -> dict[str, Any]:
    """The entry points of the group, by name."""
    return {point.name: point for point in metadata.entry_points(group=group)}


def entry_point(group: str, what: str, name: str, here: Iterable[str], error: Callable[[str], Exception]) -> Any:
    """The entry point of that name. `error` lists those there are, and those `here`."""
    installed = entry_points(group)
    if name not in installed:
        raise error(f"no {what} {name}: there are {', '.join([*here, *installed]) or 'none'}")
    return installed[name]


def load(group: str, what: str, name: str, here: Iterable[str], error: type[Exception]) -> Any:
    """What the entry point of that name stands for. `error` says why it cannot be had."""
    point = entry_point(group, what, name, here, error)
    try:
        return point.load()
    except Exception as fault:  # it is anybody's code
        raise error(f"the {what} {name} cannot be loaded from {point.value}: {fault!r}") from fault
