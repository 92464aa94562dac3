"""The one exception of this package."""


class RelationsGameError(ValueError):
    """A task, object set, image or file is not the Relations Game's; the message says why."""
