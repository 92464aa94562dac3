"""The one exception of this package."""

from domains.errors import DomainError


class RelationsGameError(DomainError):
    """A task, object set, image or file is not the Relations Game's; the message says why."""
