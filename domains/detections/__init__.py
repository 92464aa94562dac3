"""What detectors and annotators say of pictures: small readers of many formats into one table."""

from domains.detections.arrays import from_arrays, from_supervision, from_torchvision
from domains.detections.fields import Corners
from domains.detections.outlines import Outline
from domains.detections.reading import open_detections
from domains.detections.table import Detected, Detection, Source

__all__ = [
    "Corners",
    "Detected",
    "Detection",
    "Outline",
    "Source",
    "from_arrays",
    "from_supervision",
    "from_torchvision",
    "open_detections",
]
