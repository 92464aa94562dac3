"""Looking in batches: an image's View and program depend on nothing but the image, the model and the looks."""

import asyncio
import random
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from predinet_prolog.domains.domain import Picture
from predinet_prolog.domains.errors import ImageError
from predinet_prolog.domains.images import ImageFile, InputImage, read_image
from predinet_prolog.domains.relations_game import generate
from predinet_prolog.neural import Model
from predinet_prolog.service.api import batcher
from predinet_prolog.service.api.batcher import BATCH, Batcher
from predinet_prolog.service.api.forms import SentImage
from predinet_prolog.service.api.registry import ModelRegistry
from predinet_prolog.service.api.scene_views import IMAGE_NAME, stored
from predinet_prolog.service.errors import BusyError, ClientLimitError
from predinet_prolog.service.pipeline import View, see
from tests.pictures import encode

pytestmark = pytest.mark.slow(9)


@pytest.fixture(scope="module")
def registry(model_file: Path) -> ModelRegistry:
    """The shipped models, the default being the small untrained one: what it sees makes no sense, but quickly."""
    return ModelRegistry(str(model_file))


@pytest.fixture(scope="module")
def images() -> list[bytes]:
    """40 files of scenes of 1 to 9 objects of every kind, which take different numbers of looks. Every tenth is so dark
    that its objects would pass for nothing beside those of the others."""
    kinds = (("pentos", 14), ("hexos", 13), ("stripes", 13))
    scenes = np.concatenate([generate("scatter", n, objects=kind, seed=5).render() for kind, n in kinds])
    scenes[::10] //= 90
    return [encode(pixels) for pixels in scenes]


class Held(NamedTuple):
    """A network that looks at nothing until it is free."""

    free: threading.Event
    batches: list[tuple[int | None, list[str]]]
    """The bound on looks and the names of the images of every batch that it got, in their order."""


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    held = Held(threading.Event(), [])

    def spy(model: Model, images: Sequence[InputImage], *, looks: int | None, given: Sequence[None]) -> list[View]:
        assert held.free.wait(30)
        held.batches.append((looks, [image.name for image in images]))
        return see(model, images, looks=looks)

    monkeypatch.setattr(batcher, "see", spy)
    return held


async def test_a_program_is_the_same_alone_and_in_any_batch(images: list[bytes]) -> None:
    """The law, over the shipped default model: to the byte, in random batches, with other looks beside."""
    models = ModelRegistry("relations-game")
    model = models.get(None)
    read = [read_image(data, picture=model.domain.picture, name=IMAGE_NAME) for data in images]
    alone = [see(model, [image])[0] for image in read]
    expected = [seen.text for seen in alone]
    kept = [stored(seen) for seen in alone]
    assert len({seen.scene.heads.attention.shape[0] for seen in alone}) > 1, "they take different numbers of looks"
    draw = random.Random(6)
    async with Batcher(models, patience=60) as opened:

        async def one(index: int, looks: int | None) -> None:
            await asyncio.sleep(draw.uniform(0, 0.3))
            seen = await opened.see(SentImage(images[index], IMAGE_NAME), looks=looks)
            if looks is None:
                assert seen.text == expected[index]
                assert stored(seen) == kept[index]

        order = draw.sample(range(len(images)), len(images))
        await asyncio.gather(*(one(index, draw.choice((None, None, None, 1))) for index in order))


async def test_what_arrives_together_is_seen_together(registry: ModelRegistry, images: list[bytes], held: Held) -> None:
    held.free.set()
    sizes: list[int] = []
    async with Batcher(registry, watch=sizes.append, patience=60) as opened:
        seen = await asyncio.gather(*(opened.see(SentImage(data, str(n))) for n, data in enumerate(images)))
    batches = [names for _, names in held.batches]
    assert sizes == [len(batch) for batch in batches]
    assert [one.image.name for one in seen] == [str(number) for number in range(len(images))]
    assert sorted(int(name) for batch in batches for name in batch) == list(range(len(images)))
    assert len(batches) < len(images) / 2, "in batches"
    assert max(map(len, batches)) <= BATCH


async def seen_of(opened: Batcher, data: bytes, count: int, client: str = "") -> list[View | BaseException]:
    """What becomes of an image that is sent so many times at once."""
    sent = (opened.see(SentImage(data, "image"), client=client) for _ in range(count))
    return await asyncio.gather(*sent, return_exceptions=True)


async def test_a_client_past_its_share_waits_and_another_does_not(registry: ModelRegistry, images: list[bytes]) -> None:
    """That all together are bounded, too: test_large_images_hold_up_their_like."""
    large = encode(np.zeros((1000, 1000, 3), np.uint8))
    async with Batcher(registry, waiting=12, per_client=6, patience=60) as opened:
        outcomes = await seen_of(opened, images[0], 20, "a")
        assert [type(outcome) for outcome in outcomes] == [View] * 6 + [ClientLimitError] * 14
        assert str(outcomes[-1]) == "6 images of yours wait to be looked at already: try again soon"
        outcomes = await seen_of(opened, large, 6, "b")
        assert [type(outcome) for outcome in outcomes] == [View] * 4 + [ClientLimitError] * 2
        assert str(outcomes[-1]) == "4 large images of yours wait to be read already: send a smaller one"
        _, others = await asyncio.gather(seen_of(opened, images[0], 20, "a"), seen_of(opened, images[0], 3, "c"))
        assert [type(outcome) for outcome in others] == [View] * 3
        with pytest.raises(ImageError):
            await opened.see(SentImage(b"no image", "image"))
        assert opened.waiting == 0


async def test_bad_fail_alone(registry: ModelRegistry, images: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if it only fails in the network, together with its batch."""

    def fragile(model: Model, images: Sequence[InputImage], *, looks: int | None, given: Sequence[None]) -> list[View]:
        if any(image.name == "7" for image in images):
            raise ArithmeticError("seven")
        return see(model, images, looks=looks)

    monkeypatch.setattr(batcher, "see", fragile)
    async with Batcher(registry, patience=60) as opened:
        sent = [opened.see(SentImage(data, str(n))) for n, data in enumerate([*images[:12], images[0][:60]])]
        outcomes = await asyncio.gather(*sent, return_exceptions=True)
    assert [n for n, outcome in enumerate(outcomes) if not isinstance(outcome, View)] == [7, 12]
    assert isinstance(outcomes[7], ArithmeticError)
    assert isinstance(outcomes[12], ImageError)


async def test_large_images_hold_up_their_like(
    registry: ModelRegistry, images: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """While as many as may wait are read, small ones are seen; a large one more is too many."""
    free = threading.Event()

    def slow(file: ImageFile, *, picture: Picture, quick: bool) -> InputImage:
        image = read_image(file, picture=picture, quick=quick)
        if file.data == large:
            assert free.wait(30)
        return image

    large = encode(np.zeros((800, 800, 3), np.uint8))
    monkeypatch.setattr("predinet_prolog.service.readings.read_image", slow)
    monkeypatch.setattr(batcher, "MOST_LARGE", 3)
    async with Batcher(registry, patience=60) as opened:
        tasks = [asyncio.create_task(opened.see(SentImage(large, "image"))) for _ in range(3)]
        while opened._large_places.taken < 3:
            await asyncio.sleep(0.001)
        for _ in range(5):
            assert isinstance(await asyncio.wait_for(opened.see(SentImage(images[0], "image")), 20), View)
        with pytest.raises(BusyError, match="3 large images wait to be read already"):
            await opened.see(SentImage(large, "image"))
        free.set()
        assert all(isinstance(seen, View) for seen in await asyncio.gather(*tasks))
        assert isinstance(await opened.see(SentImage(large, "image")), View)


async def test_what_waits_too_long_is_given_up(registry: ModelRegistry, images: list[bytes]) -> None:
    """Also by who goes away; neither leaves anything behind."""
    begun, free = threading.Event(), threading.Event()

    def hold() -> None:
        begun.set()
        assert free.wait(30)

    async with Batcher(registry, patience=0.1) as opened:
        held = asyncio.create_task(opened._in_turn(opened._reader, hold))
        await asyncio.to_thread(begun.wait, 30)
        with pytest.raises(BusyError, match=r"^the image waited 0\.1 s for its turn: try again soon$") as caught:
            await opened.see(SentImage(images[0], "image"))
        assert caught.value.retry_after == 1
        opened._patience = 60
        gone = asyncio.create_task(opened.see(SentImage(images[0], "image")))
        await asyncio.sleep(0)
        gone.cancel()
        free.set()
        await held
        assert isinstance(await opened.see(SentImage(images[0], "image")), View)
        assert opened._reader._work_queue.qsize() == opened.waiting == 0


async def test_leaving_ends_those_that_wait(registry: ModelRegistry, images: list[bytes], held: Held) -> None:
    """The batch that is under way is seen, what waits for its turn is cancelled, and no thread stays."""
    async with Batcher(registry, patience=60) as opened:
        tasks = [asyncio.create_task(opened.see(SentImage(images[0], "image")))]
        while not opened._busy or opened._queue:
            await asyncio.sleep(0.001)
        tasks += [asyncio.create_task(opened.see(SentImage(data, "image"))) for data in images[:5]]
        while not opened._queue:
            await asyncio.sleep(0.001)
        asyncio.get_running_loop().call_later(0.05, held.free.set)
    first, other, *_ = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 20)
    assert isinstance(first, View)
    assert isinstance(other, asyncio.CancelledError)
    names = [thread.name for thread in threading.enumerate()]
    assert not [name for name in names if name.startswith(("reader", "large-reader", "network"))]
