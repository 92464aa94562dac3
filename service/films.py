"""A film as one program: its frames, each seen or told of, as at(T, Fact)."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from predinet_prolog.bridge.episodes import Frame, write_episode
from predinet_prolog.bridge.errors import BoxesError
from predinet_prolog.bridge.perceiving.perceiver import check_boxes
from predinet_prolog.bridge.program import rules_of
from predinet_prolog.domains.errors import ImageError
from predinet_prolog.domains.films import FilmFrame, frames_of
from predinet_prolog.domains.zones import Zones
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.folders import Summary
from predinet_prolog.service.given import Told
from predinet_prolog.service.pipeline import open_model, see
from predinet_prolog.service.readings import Readings


def write_film(
    path: Path,
    model_name: str | None,
    detections: Told | None,
    zones: Zones | None,
    summary: Summary,
    follow: Callable[[Iterable[FilmFrame]], Iterable[FilmFrame]],
) -> str:
    """The program of a folder of frames, an animated picture or a video, of the frames that can be used.

    The model is one of pictures of any size; None: no pixel is looked at, and all is told. What tells of the things of
    each frame, and what its parts are called, is as `pipeline.look` has it. `summary` gets what was done to frames and
    what is wrong with others; `follow` shows how far it is. Of an animated picture or a video, nothing behind a broken
    frame is read.

    Raises UsageError for a model of pictures of one size, for frames that are not of one size, and where none can be
    used; DomainError for what is no film.
    """
    model = open_model(model_name)
    if model_name is not None and not model.domain.picture.free:
        raise UsageError(f"the model {model_name} sees pictures of one size: name one of any size, as scenes")
    if detections is not None:
        check_boxes(model)
    frames, warnings, sizes = list[Frame](), set[str](), set[tuple[int, int]]()
    for frame in follow(_readable(path, summary)):
        try:
            readings = Readings(frame.file)
            image = readings.unread if model_name is None else readings.free
            size = image.width, image.height
            given = None if detections is None else detections(frame.name, size, looked=model_name is not None)
            (view,) = see(model, [image], given=[given], zones=zones)
        except (ImageError, BoxesError) as error:
            summary.bad[frame.name] = str(error)
            continue
        summary.note(path, frame.name, view.notices)
        frames.append(Frame(frame.number, view.program.facts))
        warnings |= set(view.warnings)
        sizes.add(size)
        if len(sizes) > 1:
            names = (f"{width}x{height}" for width, height in sorted(sizes))
            raise UsageError(f"{path} has frames of {' and of '.join(names)} pixels: a film's are of one size")
    if not sizes:
        raise UsageError(f"{path} has no frame that can be used: {next(iter(summary.bad.values()))}")
    ((width, height),) = sizes
    about = {
        "film": f"{path.name}, {len(frames)} frames of {width} x {height} pixels",
        "seen by": "none: nothing was looked at" if model_name is None else model.name,
        **({} if detections is None else {"told by": detections.path.name}),
        **({} if zones is None else {"zones": Path(zones.where).name}),
    }
    dialect = rules_of(model, given=detections is not None, zones=zones is not None).dialect
    return write_episode(frames, about=about, side=max(width, height), warnings=sorted(warnings), dialect=dialect)


def _readable(path: Path, summary: Summary) -> Iterator[FilmFrame]:
    """The frames, up to one that breaks the file that they are all in."""
    last = 0
    try:
        for frame in frames_of(path):
            yield frame
            last = frame.number
    except ImageError as error:
        if not last:
            raise
        summary.bad[f"after frame {last}"] = f"{error}: frames after number {last} are not read"
