"""The errors of `service`, and what every error of the project means to a user and to an HTTP client.

ServiceError
 ├── UsageError     the command line or a request asks for what makes no sense
 ├── SettingsError  a setting is out of bounds
 ├── OutputError    a file cannot be written
 └── BusyError      every Prolog process stays busy
"""

from typing import NamedTuple


class ServiceError(Exception):
    """Any failure of the service's own. Its text is one clear line."""


class UsageError(ServiceError):
    """The command line or a request asks for what makes no sense."""


class SettingsError(ServiceError):
    """A setting is out of bounds."""


class OutputError(ServiceError):
    """A file cannot be written."""


class BusyError(ServiceError):
    """Every Prolog process stays busy."""


class Failure(NamedTuple):
    """What an error means outside."""

    exit_status: int
    """2 for a mistake of the user, 3 or more for the rest."""
    http_status: int
    kind: str


# By name, so that telling an error needs no import: neural's would load torch. The nearest class of an error's
# ancestry decides.
FAILURES = {
    "neural.errors.NeuralError": Failure(2, 422, "model"),
    "neural.errors.ModelNotFoundError": Failure(2, 404, "model_not_found"),
    "neural.errors.CheckpointError": Failure(2, 422, "checkpoint"),
    "neural.errors.TrainingDivergedError": Failure(3, 500, "training_diverged"),
    "neural.errors.ImageError": Failure(2, 422, "image"),
    "neural.relations_game.errors.RelationsGameError": Failure(2, 422, "relations_game"),
    "bridge.errors.BridgeError": Failure(3, 422, "bridge"),
    "symbolic.errors.SymbolicError": Failure(2, 422, "symbolic"),
    "symbolic.errors.QuerySyntaxError": Failure(2, 400, "syntax"),
    "symbolic.errors.ProgramError": Failure(2, 400, "program"),
    "symbolic.errors.TimeLimitError": Failure(3, 504, "time_limit"),
    "symbolic.errors.AnswerTooLargeError": Failure(3, 422, "answer_too_large"),
    "symbolic.errors.WorkerError": Failure(3, 503, "worker"),
    "symbolic.errors.SwiPrologMissingError": Failure(3, 503, "swi_prolog_missing"),
    "service.errors.ServiceError": Failure(3, 500, "service"),
    "service.errors.UsageError": Failure(2, 422, "usage"),
    "service.errors.SettingsError": Failure(2, 500, "settings"),
    "service.errors.OutputError": Failure(2, 500, "output"),
    "service.errors.BusyError": Failure(3, 503, "busy"),
}


def failure(error: BaseException) -> Failure | None:
    """What `error` means; None if it is none of the project's own, and so a fault of the program."""
    for cls in type(error).__mro__:
        if found := FAILURES.get(f"{cls.__module__}.{cls.__qualname__}"):
            return found
    return None
