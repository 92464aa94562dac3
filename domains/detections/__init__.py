"""What detectors and annotators say of pictures: small readers of many formats into one table."""

from predinet_prolog.domains.detections.arrays import from_arrays as from_arrays
from predinet_prolog.domains.detections.arrays import from_supervision as from_supervision
from predinet_prolog.domains.detections.arrays import from_torchvision as from_torchvision
from predinet_prolog.domains.detections.fields import Corners as Corners
from predinet_prolog.domains.detections.outlines import Outline as Outline
from predinet_prolog.domains.detections.reading import open_detections as open_detections
from predinet_prolog.domains.detections.table import Detected as Detected
from predinet_prolog.domains.detections.table import Detection as Detection
from predinet_prolog.domains.detections.table import Source as Source
