"""What detectors and annotators say of pictures: small readers of many formats into one table."""

from predinet_prolog.domains.detections.arrays import from_arrays, from_supervision, from_torchvision
from predinet_prolog.domains.detections.outlines import Outline
from predinet_prolog.domains.detections.reading import open_detections
from predinet_prolog.domains.detections.table import Detected, Detection, Source

__all__ = ["Detected", "Detection", "Outline", "Source", "from_arrays", "from_supervision", "from_torchvision"]
__all__ += ["open_detections"]
