"""Which engine does work that can be divided."""

from predinet_prolog.neural.engines import PROCESSES, Engine

ENGINES = ("processes", "ray")


def open_engine(name: str) -> Engine:
    """That of ENGINES. NeuralError if it is not installed."""
    if name == "processes":
        return PROCESSES
    from predinet_prolog.neural.ray_engine import RayEngine

    return RayEngine()
