"""The errors of `service`, and what every error of the project means to a user and to an HTTP client."""

from typing import NamedTuple


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


# By name in this package, so that telling an error needs no import: neural's would load numpy. The nearest class of an
# error's ancestry decides.
FAILURES = {
    "quoting.QuotingError": Failure(2, 422, "quoting", "A name cannot be written"),
    "neural.errors.NeuralError": Failure(2, 422, "model", "The model cannot do that"),
    "neural.errors.ModelNotFoundError": Failure(2, 404, "model_not_found", "No such model"),
    "neural.errors.CheckpointError": Failure(2, 422, "checkpoint", "The model's file cannot be used"),
    "neural.errors.WorkerDiedError": Failure(3, 500, "worker_died", "A process of the program ended"),
    "neural.errors.TrainingDivergedError": Failure(3, 500, "training_diverged", "The training diverged"),
    "domains.errors.ImageError": Failure(2, 422, "image", "The image cannot be used"),
    "domains.errors.DomainError": Failure(2, 422, "domain", "No such thing in the world of pictures"),
    "experiments.errors.ExperimentError": Failure(2, 422, "usage", "That makes no sense"),
    "bridge.errors.BridgeError": Failure(3, 422, "bridge", "No program can be made of what was seen"),
    "bridge.errors.BoxesError": Failure(2, 422, "boxes", "The boxes cannot be used"),
    "bridge.errors.PerceiverError": Failure(2, 422, "usage", "That makes no sense"),
    "bridge.errors.UngroundedError": Failure(2, 422, "ungrounded", "The model tells no named relations"),
    "bridge.errors.TableError": Failure(2, 422, "table", "The table cannot be used"),
    "symbolic.errors.SymbolicError": Failure(2, 422, "symbolic", "Prolog cannot answer that"),
    "symbolic.errors.QuerySyntaxError": Failure(2, 400, "syntax", "The query is not valid Prolog"),
    "symbolic.errors.UnknownPredicateError": Failure(2, 422, "unknown_predicate", "Unknown predicate"),
    "symbolic.errors.UnknownObjectError": Failure(2, 422, "unknown_object", "There is no such object"),
    "symbolic.errors.EnglishError": Failure(2, 422, "question", "The question cannot be read"),
    "symbolic.errors.SuppositionError": Failure(2, 422, "supposition", "That cannot be supposed"),
    "symbolic.errors.ForbiddenError": Failure(2, 422, "forbidden", "That is not allowed"),
    "symbolic.errors.ProgramError": Failure(2, 400, "program", "The rules cannot be loaded"),
    "symbolic.errors.TimeLimitError": Failure(3, 504, "time_limit", "Time ran out"),
    "symbolic.errors.AnswerTooLargeError": Failure(3, 422, "answer_too_large", "The answers are too large"),
    "symbolic.errors.PrologError": Failure(2, 422, "prolog", "The query threw an exception"),
    "symbolic.errors.WorkerError": Failure(3, 503, "worker", "Prolog does not answer"),
    "symbolic.errors.SwiPrologMissingError": Failure(3, 503, "swi_prolog_missing", "SWI-Prolog is missing"),
    "symbolic.errors.OverloadedError": Failure(3, 503, "overloaded", "Too many queries wait"),
    "symbolic.errors.ClientLimitError": Failure(3, 429, "client_limit", "Too much of yours at once"),
    "service.errors.ServiceError": Failure(3, 500, "service", "The service failed"),
    "service.errors.UsageError": Failure(2, 422, "usage", "That makes no sense"),
    "service.errors.SettingsError": Failure(2, 500, "settings", "A setting is out of bounds"),
    "service.errors.OutputError": Failure(2, 500, "output", "A file cannot be written"),
    "service.errors.StorageError": Failure(2, 503, "storage", "The scenes' store cannot be used"),
    "service.errors.SceneNotFoundError": Failure(2, 404, "scene_not_found", "No such scene"),
    "service.errors.UnauthorizedError": Failure(2, 401, "unauthorized", "A token is needed"),
    "service.errors.BusyError": Failure(3, 503, "busy", "Too many images wait"),
    "service.errors.ClientLimitError": Failure(3, 429, "client_limit", "Too much of yours at once"),
}


def failure(error: BaseException) -> Failure | None:
    """What `error` means; None if it is none of the project's own, and so a fault of the program."""
    for cls in type(error).__mro__:
        name = f"{cls.__module__}.{cls.__qualname__}".removeprefix("predinet_prolog.")
        if name in FAILURES:
            return FAILURES[name]
    return None


def kind_of(error: BaseException) -> str:
    """The kind of an error of the project's own."""
    entry = failure(error)
    assert entry is not None, error
    return entry.kind
