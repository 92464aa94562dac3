"""What detectors and annotators say of pictures: small readers of many formats into one table."""

from domains.detections.outlines import Corners, Outline
from domains.detections.reading import open_detections
from domains.detections.table import Detected, Detection, Source

__all__ = ["Corners", "Detected", "Detection", "Outline", "Source", "open_detections"]
