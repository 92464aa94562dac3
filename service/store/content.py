"""What the service keeps of an image."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SceneContent:
    """What was seen in an image: all that the service tells of a scene but its id and its times."""

    id: str
    """32 hexadecimal digits; see scene_views.content_id."""
    model: str
    """Name of the model that looked."""
    program: str
    facts: bytes
    """JSON of what words are made of; see naming.facts_of."""
    notes: tuple[str, ...]
    """What was done to the image, such as resizing."""
    warnings: tuple[str, ...]
    """Why what was seen may mean nothing."""
    details: bytes
    """JSON."""
    masks: bytes
    """JSON."""
    image: bytes
    """PNG: the pixels that the network saw."""
