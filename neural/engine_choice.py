"""Which engine does work that can be divided."""

from predinet_prolog.neural.engines import PROCESSES, Engine


def open_engine(name: str) -> Engine:
    """This machine's `processes`, or `ray`. NeuralError if it is not installed."""
    if name == "processes":
        return PROCESSES
    from predinet_prolog.neural.ray_engine import RayEngine

    return RayEngine()
