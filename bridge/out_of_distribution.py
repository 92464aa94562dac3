"""Whether what was seen in a picture means anything: what its pixels tell, and whether objects were found."""

from collections.abc import Sequence
from dataclasses import dataclass

from bridge.scene import Scene
from domains.domain import Domain, Inspection, Pixels


@dataclass(frozen=True)
class OutOfDistribution:
    """How far a picture is from those of its domain."""

    score: float
    """0 or more; warnings begin at 1."""
    warning: str | None
    """One line for a user: what is odd, and what to do. None below 1."""


def out_of_distribution(domain: Domain, images: Pixels, scenes: Sequence[Scene]) -> list[OutOfDistribution]:
    """The score of each of `images` (N, H, W, C), seen as `scenes`.

    A scene counts in two ways only: a picture without objects is always warned of, and objects named where there is
    nothing to see are doubted. Raises DomainError for images of another size.
    """
    return [
        _judged(inspection, bool(scene.objects), domain.remedy)
        for inspection, scene in zip(domain.inspect(images), scenes, strict=True)
    ]


def _judged(inspection: Inspection, has_object: bool, remedy: str) -> OutOfDistribution:
    reason = inspection.reason
    if inspection.empty and has_object:
        reason = "nothing but background or noise is to be seen: the objects named are probably none"
    elif reason is None and not has_object:
        reason = "the network found no object"
    return OutOfDistribution(max(inspection.score, float(not has_object)), reason and f"{reason}; {remedy}")
