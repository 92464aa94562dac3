"""A film as one program: its frames, each seen or told of, as at(T, Fact)."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from predinet_prolog.bridge.episodes import Frame, write_episode
from predinet_prolog.bridge.errors import BoxesError
from predinet_prolog.bridge.perceiving.perceiver import perceiver_of
from predinet_prolog.bridge.program import rules_of
from predinet_prolog.domains.errors import ImageError
from predinet_prolog.domains.films import FilmFrame, frames_of
from predinet_prolog.domains.zones import Zones
from predinet_prolog.neural.model import Model
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.folders import Summary, open_model
from predinet_prolog.service.given import Told
from predinet_prolog.service.pipeline import View, see
from predinet_prolog.service.readings import Readings


@dataclass(frozen=True)
class Film:
    """A film, and how its frames are to be seen."""

    path: Path
    """A folder of frames, an animated picture or a video."""
    model: str | None
    """Of pictures of any size; None: no pixel is looked at, and all is told."""
    detections: Told | None = None
    """What tells of the things of each frame; None: they are found."""
    zones: Zones | None = None
    """What parts of every frame are called."""

    def program(self, summary: Summary, follow: Callable[[Iterable[FilmFrame]], Iterable[FilmFrame]] = iter) -> str:
        """Its program, of the frames that can be used. `summary` gets what was done to frames and what is wrong with
        others; `follow` shows how far it is. Of an animated picture or a video, nothing behind a broken frame is read.

        Raises UsageError for a model of pictures of one size, for frames that are not of one size, and where none can
        be used; DomainError for what is no film.
        """
        model = open_model(self.model)
        if self.model is not None and not model.domain.picture.free:
            raise UsageError(f"the model {self.model} sees pictures of one size: name one of any size, as scenes")
        if self.detections is not None:
            perceiver_of(model).check_boxes()
        frames, warnings, sizes = list[Frame](), set[str](), set[tuple[int, int]]()
        dialect = rules_of(model, given=self.detections is not None, zones=self.zones is not None).dialect
        for frame in follow(self._readable(summary)):
            try:
                view = self._view(frame, model, summary)
            except (ImageError, BoxesError) as error:
                summary.bad[frame.name] = str(error)
                continue
            frames.append(Frame(frame.number, view.program.facts))
            warnings |= set(view.warnings)
            sizes.add((view.image.width, view.image.height))
            if len(sizes) > 1:
                size, other = (f"{width}x{height}" for width, height in sorted(sizes))
                raise UsageError(f"{self.path} has frames of {size} and of {other} pixels: a film's are of one size")
        if not sizes:
            raise UsageError(f"{self.path} has no frame that can be used: {next(iter(summary.bad.values()))}")
        ((width, height),) = sizes
        about = {
            "film": f"{self.path.name}, {len(frames)} frames of {width} x {height} pixels",
            "seen by": "none: nothing was looked at" if self.model is None else model.name,
            **({} if self.detections is None else {"told by": self.detections.path.name}),
            **({} if self.zones is None else {"zones": Path(self.zones.where).name}),
        }
        return write_episode(frames, about=about, side=max(width, height), warnings=sorted(warnings), dialect=dialect)

    def _readable(self, summary: Summary) -> Iterator[FilmFrame]:
        """The frames, up to one that breaks the file that they are all in."""
        last = 0
        try:
            for frame in frames_of(self.path):
                yield frame
                last = frame.number
        except ImageError as error:
            if not last:
                raise
            summary.bad[f"after frame {last}"] = f"{error}: frames after number {last} are not read"

    def _view(self, frame: FilmFrame, model: Model, summary: Summary) -> View:
        readings = Readings(frame.file)
        image = readings.unread if self.model is None else readings.free
        size = image.width, image.height
        given = None if self.detections is None else self.detections(frame.name, size, looked=self.model is not None)
        (view,) = see(model, [image], given=[given], zones=self.zones)
        summary.note(self.path, frame.name, view.notices)
        return view
