"""Looking at images for many clients at once: those that arrive together go through the network as one batch."""

import asyncio
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from predinet_prolog.bridge.perceiving.given import Given
from predinet_prolog.bridge.perceiving.perceiver import perceiver_of
from predinet_prolog.domains.errors import LargeImageError
from predinet_prolog.domains.images import InputImage, open_file
from predinet_prolog.neural.model import Model
from predinet_prolog.service.api.forms import SentImage
from predinet_prolog.service.api.registry import ModelRegistry
from predinet_prolog.service.errors import BusyError, ClientLimitError
from predinet_prolog.service.given import teller
from predinet_prolog.service.pipeline import View, look, prepared, see
from predinet_prolog.service.readings import Readings

BATCH = 32
"""Most images a batch: more make it no faster, only later."""
SWITCH_SECONDS = 0.0005
"""How long a thread may keep the event loop from Python. With Python's own 5 ms, one in a hundred of its turns came
more than 30 ms late while batches were seen, with this 4 ms; as many images were seen."""
MANY_BOXES = 32
"""A picture of more given boxes takes up to two seconds, and is seen where large images are read."""
MOST_LARGE = 64
"""Images that cannot be read quickly and may wait at once, for a thread of their own: there reading one takes up to a
second. They hold up each other, and nobody else."""
MOST_LARGE_PER_CLIENT = 4
"""Those of them that may be one client's."""


T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class _Waiting:
    """An image that waits for its turn."""

    model: Model
    looks: int | None
    image: InputImage
    given: Given | None
    """What is told of its things; None: they are to be found."""
    view: "asyncio.Future[View]"


class _Places:
    """Room for `most` images at once, and for `per_client` of one client, so that none takes the others' room.

    full: what the errors say behind the number; {} stands for whose the images are.
    """

    def __init__(self, most: int, per_client: int, full: str, retry_after: float) -> None:
        self._most, self._per_client = most, per_client
        self._full, self._retry_after = full, retry_after
        self._taken: Counter[str] = Counter()

    @property
    def taken(self) -> int:
        """Images that have a place."""
        return self._taken.total()

    @contextmanager
    def place(self, client: str) -> Iterator[None]:
        """A place for the time of the block. Raises ClientLimitError or BusyError if there is none."""
        if self._taken[client] >= self._per_client:
            raise ClientLimitError(f"{self._per_client} {self._full.format(' of yours')}", self._retry_after)
        if self.taken >= self._most:
            raise BusyError(f"{self._most} {self._full.format('')}", self._retry_after)
        self._taken[client] += 1
        try:
            yield
        finally:
            self._taken[client] -= 1
            self._taken += Counter()  # forgets clients that have none


class Batcher:
    """Sees images, asyncio-native. A context manager (`async with`) of one event loop.

    The first image waits for nobody; those that arrive while the network is busy are its next batch, up to BATCH of
    the same model and bound on looks; a picture of any size is a batch of its own. The network runs in one thread,
    which also writes the programs, so that the event loop never does. Images are read in another one, large ones in a
    third, in the order in which they came: what one client may have waiting is bounded. What an image's View and
    program are does not depend on its batch.

    waiting: images that may be on their way at once, until there is a View of them.
    per_client: those of them that may be one client's.
    patience: seconds after which an image that waits to be read is given up.
    watch: is told the size of each batch.
    """

    def __init__(
        self,
        models: ModelRegistry,
        *,
        waiting: int = 128,
        per_client: int = 128,
        patience: float = 5.0,
        watch: Callable[[int], None] = lambda size: None,
    ) -> None:
        self._models = models
        self._watch = watch
        full = "images{} wait to be looked at already: try again soon"
        self._places = _Places(waiting, per_client, full, 1.0)
        full = "large images{} wait to be read already: send a smaller one"
        self._large_places = _Places(MOST_LARGE, min(per_client, MOST_LARGE_PER_CLIENT), full, 5.0)
        self._queue: list[_Waiting] = []  # in the order in which they came
        self._busy: asyncio.Task[None] | None = None
        self._patience = patience
        self._reader = ThreadPoolExecutor(1, "reader")
        self._large_reader = ThreadPoolExecutor(1, "large-reader")
        # One thread for the network, to which the command line keeps numpy: the event loop and Prolog have the rest.
        self._network = ThreadPoolExecutor(1, "network")

    async def __aenter__(self) -> "Batcher":
        self._switch_seconds = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_SECONDS)
        return self

    async def __aexit__(self, *error: object) -> None:
        for item in self._queue:
            item.view.cancel()
        self._queue.clear()
        if self._busy is not None:
            await self._busy
        for thread in (self._reader, self._large_reader, self._network):
            thread.shutdown(cancel_futures=True)
        sys.setswitchinterval(self._switch_seconds)

    @property
    def waiting(self) -> int:
        """Images on their way."""
        return self._places.taken

    async def see(
        self,
        image: SentImage,
        *,
        title: str | None = None,
        looks: int | None = None,
        pixels: bool = True,
        client: str = "",
    ) -> View:
        """What is seen in the image, as `pipeline.look` has it, or by the default model.

        Errors call the image by its name, and the program too unless there is a `title`. Raises what `look` raises,
        BusyError if too many images wait already or this one waits too long, and ClientLimitError if too many of this
        `client` wait.
        """

        def read(*, quick: bool) -> tuple[Model, InputImage, Given | None]:
            """The model, loaded if need be, the image as its picture, and what is told of its things."""
            readings = Readings(open_file(image.data, name=image.name), quick=quick)
            tell = teller(image.boxes, image.detections)
            chosen = self._models.choose(image.model, readings, boxes=tell is not None)
            perceiver_of(chosen, looks)  # refuses a bound that it does not have
            return chosen, *prepared(chosen, readings, tell)

        def unlooked() -> View:
            file = open_file(image.data, name=image.name)
            return look(file, boxes=image.boxes, detections=image.detections, pixels=False)

        with self._places.place(client):
            if image.detections is not None and not pixels:
                return await self._in_turn(self._reader, unlooked)
            try:
                chosen, picture, given = await self._in_turn(self._reader, partial(read, quick=True))
            except LargeImageError:
                with self._large_places.place(client):
                    chosen, picture, given = await self._in_turn(self._large_reader, partial(read, quick=False))
            if title is not None:
                picture = replace(picture, name=title)
            if given is not None and len(given.things) > MANY_BOXES:
                self._watch(1)
                with self._large_places.place(client):
                    look_at = partial(_written, chosen, [picture], looks, [given])
                    return (await self._in_turn(self._large_reader, look_at))[0]
            item = _Waiting(chosen, looks, picture, given, asyncio.get_running_loop().create_future())
            self._queue.append(item)
            if self._busy is None:
                self._busy = asyncio.create_task(self._look())
            return await item.view

    async def _in_turn(self, thread: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        """What `work` returns in the thread. Raises what it raises, and BusyError if its turn does not come in time."""
        outcome = thread.submit(work)
        waiter = asyncio.wrap_future(outcome)
        try:
            await asyncio.wait([waiter], timeout=self._patience)
            if outcome.cancel():
                raise BusyError(f"the image waited {self._patience:g} s for its turn: try again soon")
            return await waiter
        finally:
            outcome.cancel()
            waiter.cancel()  # or an error that nobody waits for any more would be logged

    async def _look(self) -> None:
        """Batches, until nothing waits: the image that came first, with those that came since and are seen alike."""
        try:
            while self._queue:
                first = self._queue[0]
                alike = [item for item in self._queue if item.model is first.model and item.looks == first.looks]
                batch = alike[: min(perceiver_of(first.model, first.looks).batch, BATCH)]
                self._queue = [item for item in self._queue if item not in batch]
                if batch := [item for item in batch if not item.view.done()]:  # the clients of others have gone
                    await self._look_at(batch)
        finally:
            self._busy = None

    async def _look_at(self, batch: list[_Waiting]) -> None:
        self._watch(len(batch))
        outcomes: Sequence[View | Exception]
        try:
            outcomes = await asyncio.get_running_loop().run_in_executor(self._network, _see, batch)
        except RuntimeError as error:  # the thread has ended meanwhile
            outcomes = [error] * len(batch)
        for item, outcome in zip(batch, outcomes, strict=True):
            if item.view.done():
                continue
            if isinstance(outcome, Exception):
                item.view.set_exception(outcome)
            else:
                item.view.set_result(outcome)


def _see(batch: Sequence[_Waiting]) -> list[View | Exception]:
    """A View of each image, its program written, or what went wrong with it alone."""
    first = batch[0]
    try:
        views = _written(first.model, [item.image for item in batch], first.looks, [item.given for item in batch])
    except Exception as error:
        return [error] if len(batch) == 1 else [outcome for item in batch for outcome in _see([item])]
    return [*views]


def _written(
    model: Model, images: Sequence[InputImage], looks: int | None, given: Sequence[Given | None]
) -> list[View]:
    """What `see` gives, the programs written."""
    views = see(model, images, looks=looks, given=given)
    for view in views:
        view.text  # noqa: B018 (kept in the View)
    return views
