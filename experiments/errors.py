"""The error of this room."""


class ExperimentError(Exception):
    """What is asked of an experiment or an evaluation cannot be had; the message says why and what to do."""
