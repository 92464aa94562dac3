"""Whether what was seen in a picture means anything: what its pixels tell, and whether objects were found."""

from dataclasses import dataclass

from predinet_prolog.bridge.scene import Scene


@dataclass(frozen=True)
class OutOfDistribution:
    """How far a picture is from those of its domain."""

    score: float
    """0 or more; warnings begin at 1."""
    warning: str | None
    """One line for a user: what is odd, and what to do. None below 1."""


def out_of_distribution(scene: Scene, remedy: str) -> OutOfDistribution:
    """The score of the picture that was seen as `scene`; `remedy` is its domain's.

    What was seen counts in two ways only: a picture without objects is always warned of, and objects named where there
    is nothing to see are doubted.
    """
    reason, has_object = scene.inspection.reason, bool(scene.things)
    if scene.inspection.empty and has_object:
        reason = "nothing but background or noise is to be seen: the objects named are probably none"
    elif reason is None and not has_object:
        reason = "the network found no object"
    remedy = scene.inspection.remedy or remedy
    return OutOfDistribution(max(scene.inspection.score, float(not has_object)), reason and f"{reason}; {remedy}")
