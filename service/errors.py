"""The errors of `service`, and what every error of the project means to a user and to an HTTP client."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from predinet_prolog.lazily import lazily

csv = lazily("csv")  # errors are seldom


class ServiceError(Exception):
    """Any failure of the service's own. Its text is one clear line."""


class UsageError(ServiceError):
    """The command line or a request asks for what makes no sense."""


class SettingsError(ServiceError):
    """A setting is out of bounds."""


class OutputError(ServiceError):
    """A file cannot be written."""


class StorageError(ServiceError):
    """The folder of the scenes cannot be used, or its disk fails or is full."""


class SceneNotFoundError(ServiceError):
    """No scene of that id is stored: it never was, has expired or was deleted."""


class UnauthorizedError(ServiceError):
    """The service wants a token, and the request has none that is known."""


class BusyError(ServiceError):
    """More images wait to be looked at than are taken. `retry_after`: seconds after which to try again."""

    def __init__(self, message: str, retry_after: float = 1.0) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ClientLimitError(BusyError):
    """More images of one client wait to be looked at than it may have at once."""


class Failure(NamedTuple):
    """What an error means outside."""

    exit_status: int
    """2 for a mistake of the user, 3 or more for the rest."""
    http_status: int
    kind: str
    title: str
    """What happened, in a few words that are the same for every error of the kind."""
    hint: str = ""
    """What to do, where nothing else says it."""


@cache
def failures() -> dict[str | int, Failure]:
    """By name in this package, so that telling an error needs no import: neural's would load numpy. By HTTP status,
    what the protocol itself refuses: it has no exception in the project."""
    with Path(__file__).with_name("failures.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        row["error"] or int(row["http_status"]): Failure(
            int(row["exit_status"]), int(row["http_status"]), row["kind"], row["title"], row["hint"]
        )
        for row in rows
    }


def failure(error: BaseException) -> Failure | None:
    """What `error` means, by the nearest class of its ancestry; None if it is a fault of the program."""
    for cls in type(error).__mro__:
        name = f"{cls.__module__}.{cls.__qualname__}".removeprefix("predinet_prolog.")
        if name in failures():
            return failures()[name]
    return None


def kind_of(error: BaseException) -> str:
    """The kind of an error of the project's own."""
    entry = failure(error)
    assert entry is not None, error
    return entry.kind
