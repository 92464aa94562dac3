"""The forms that an image comes in."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from fastapi import Request, UploadFile
from pydantic import ConfigDict, Field, WithJsonSchema

from predinet_prolog.bridge.perceiving.given import Choice
from predinet_prolog.service.api.schemas import RULES_CHARACTERS, Asking, Described, Supposing
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.given import Sent

BOXES_CHARACTERS = 32 * 2**10
"""Most characters of the boxes that come with a picture."""


FORM_LIMITS: Any = {"max_files": 4, "max_fields": 12, "max_part_size": 4 * RULES_CHARACTERS}
"""Of a form with an image: a file more than there may be, for errors to name; a character takes up to four bytes."""


@dataclass(frozen=True)
class SentImage:
    """An image, and what comes with it."""

    data: bytes
    name: str
    """What the client calls it, without folders."""
    model: str | None = None
    boxes: str | None = None
    detections: Sent | None = None
    no_look: bool = False


def _without_null(schema: dict[str, Any]) -> None:
    """A field may be missing, but there is no null in a form."""
    for name, field in schema["properties"].items():
        if "anyOf" in field:
            schema["properties"][name] = {**field.pop("anyOf")[0], **field}


# Generators of clients know a file by its format; FastAPI's own schema, contentMediaType, they take for a text.
_BINARY = WithJsonSchema({"type": "string", "format": "binary"})


class ImageForm(Described):
    """An image, and what comes with it."""

    model_config = ConfigDict(extra="forbid", json_schema_extra=_without_null)

    image: Annotated[UploadFile, _BINARY]
    """An image file: a board, which is square, or a picture of any size."""
    model: str | None = None
    """A name of GET /models; where there is none the default, or the one that suits the image."""
    boxes: str | None = Field(None, max_length=BOXES_CHARACTERS, examples=["[[12, 30, 58.5, 71], [90, 28, 131, 80]]"])
    """JSON that says where the things of a picture of any size are, in its pixels: [[left, top, right, bottom], …],
    right and bottom outside of the thing; 200 at most. They take the place of finding."""
    detections: Annotated[UploadFile | None, _BINARY] = None
    """All that a detector or an annotator tells of the things of a picture of any size: COCO, YOLO, Pascal VOC,
    LabelMe, supervision. They take the place of finding; pixels are looked at where a query needs it."""
    classes: Annotated[UploadFile | None, _BINARY] = None
    """What the classes of the detections are called: a name a line, a data.yaml, or JSON."""
    min_score: float | None = Field(None, ge=0, le=1, description="Detections that are less sure are left out.")
    no_look: bool = False
    """Whether no pixel is looked at: what the detections tell is all there is then."""

    async def read(self, request: Request) -> SentImage:
        """What it says. Raises UsageError for what needs detections and has none, and for what is sent twice."""
        fields = Counter(name for name, _ in (await request.form()).multi_items())
        if twice := [name for name, n in fields.items() if n > 1]:
            raise UsageError(f"{twice[0]} is sent {fields[twice[0]]} times: send it once")
        file = None
        if self.detections is not None:
            classes = None if self.classes is None else (await self.classes.read(), _name_of(self.classes, "classes"))
            name = _name_of(self.detections, "detections")
            file = Sent(await self.detections.read(), name, classes, Choice(self.min_score))
        else:
            for name in ("classes", "min_score", "no_look"):
                if getattr(self, name) not in (None, False):
                    raise UsageError(f"{name} is for detections: send them, too")
        if self.no_look and self.model is not None:
            raise UsageError("no_look opens no model: leave out model")
        name = _name_of(self.image, "image")
        return SentImage(await self.image.read(), name, self.model, self.boxes, file, self.no_look)


def _name_of(file: UploadFile, kind: str) -> str:
    return Path(file.filename or "").name or kind


class LookForm(ImageForm):
    """An image whose program is wanted."""

    looks: int | None = Field(None, ge=1, le=10, description="Most looks at a board; 1 is the paper's single pass.")


class QueryForm(Asking, ImageForm):
    """An image, and a question."""


class SuppositionForm(Supposing, ImageForm):
    """An image, a question, and what is supposed."""
