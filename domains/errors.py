"""The error of every domain."""


class DomainError(ValueError):
    """A domain, task, kind of things, picture or file that is not there or not sound; the message says why."""
