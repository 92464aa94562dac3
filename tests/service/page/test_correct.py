"""Pictures of any size on the page: boxes that fit, corrected by mouse, touch and keys; pictures that are cropped."""

import json
import re
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from predinet_prolog.service.api.batcher import Batcher
from predinet_prolog.service.api.forms import SentImage
from tests.pictures import encode
from tests.service.glimpses import patches, ship_to_service
from tests.service.page.conftest import TIMEOUT, Serve, Visit
from tests.service.page.helpers import answered, arrived, ask, drop, press, why

pytestmark = pytest.mark.slow(20)

SIZE = (640, 400)
BOXES = [(60, 40, 160, 120), (400, 200, 460, 320), (80, 250, 200, 350)]


@pytest.fixture
def page(visit: Visit, serve: Serve, monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    """The page of a service with a model for pictures of any size, and such a picture on it."""
    ship_to_service(monkeypatch)
    with serve(model=None) as address:
        page = visit(at=f"{address}/")
        drop(page, "things.png", encode(patches(SIZE, BOXES)))
        arrived(page, 3)
        yield page
        page.context.close()


SEEN, EDITED = "#picture .object", "#editor .box"


def boxes(page: Page, of: str) -> list[list[float]]:
    """Where boxes are drawn, in pixels of the picture, as its own place on the screen tells."""
    frame = page.locator("#picture image").first.bounding_box()
    areas = [area.bounding_box() for area in page.locator(f"{of} .area").all()]
    if frame is None or None in areas:
        return []
    unit = SIZE[0] / frame["width"]
    assert frame["height"] * unit == pytest.approx(SIZE[1], abs=2), "its own aspect"
    places = [(area["x"] - frame["x"], area["y"] - frame["y"], area["width"], area["height"]) for area in areas if area]
    return [[unit * x, unit * y, unit * (x + width), unit * (y + height)] for x, y, width, height in places]


def placed(
    page: Page, wanted: Sequence[Sequence[float]], of: str = EDITED, *, start: int = 0, slack: float = 3
) -> None:
    """Waits for the boxes from the number `start` on to be drawn there."""
    deadline = time.monotonic() + TIMEOUT / 1000
    while len(drawn := boxes(page, of)[start : start + len(wanted)]) < len(wanted) or not np.allclose(
        drawn, wanted, rtol=0, atol=slack
    ):
        assert time.monotonic() < deadline, (drawn, wanted)
        page.wait_for_timeout(20)


def at(page: Page, x: float, y: float) -> tuple[float, float]:
    """A place of the picture on the screen."""
    while (frame := page.locator("#picture image").first.bounding_box()) is None:
        page.wait_for_timeout(10)
    return frame["x"] + x * frame["width"] / SIZE[0], frame["y"] + y * frame["height"] / SIZE[1]


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*at(page, *start))
    page.mouse.down()
    page.mouse.move(*at(page, (start[0] + end[0]) / 2, (start[1] + end[1]) / 2))
    page.mouse.move(*at(page, *end))
    page.mouse.up()


def corrected(page: Page, count: int) -> None:
    """Waits for the scene of so many boxes."""
    expect(page.locator("#notes")).to_contain_text(f"{count} object{'s' * (count != 1)} in the boxes given")
    expect(page.locator("#program-size")).not_to_be_empty()


def first_at(page: Page, column: int) -> None:
    """Waits until what the service saw first has its middle there, or a pixel beside."""
    near = "|".join(str(place) for place in range(column - 2, column + 3))
    expect(page.locator(SEEN).first).to_have_attribute("aria-description", re.compile(rf"^at column ({near}),"))


def test_boxes_are_moved_and_program_answers_and_proof_follow(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    see, looked = Batcher.see, list[SentImage]()

    def spy(batcher: Batcher, image: SentImage, **how: Any) -> Any:
        looked.append(image)
        return see(batcher, image, **how)

    monkeypatch.setattr(Batcher, "see", spy)
    placed(page, BOXES, SEEN)
    expect(page.locator("#notes")).to_have_text("3 objects seen by scenes")
    page.locator("#picture .object").nth(1).hover()
    expect(page.locator("#inspector h2")).to_have_text("ob_1")
    for word in ("look", "heads that picked it"):
        expect(page.locator("#inspector")).not_to_contain_text(word)
    assert page.locator("#picture image").first.get_attribute("image-rendering") is None
    ask(page, "object(X), position(X, _, Y), Y < 100")
    why(page)
    expect(page.locator("#answers tr.proof")).to_contain_text("position(ob_0, 110.0, 80.0)")
    length = page.evaluate("history.length")
    press(page, "Correct")
    drag(page, (110, 80), (410, 60))
    corrected(page, 3)
    assert [image.model for image in looked] == ["scenes"], "the one that found them"
    np.testing.assert_allclose(json.loads(looked[0].boxes or ""), [(360, 20, 460, 100), *BOXES[1:]], atol=3)
    placed(page, [(360, 20, 460, 100)])
    expect(page.locator("#tray > li")).to_have_count(1)
    page.locator("#filter").fill("box(ob_0,")
    expect(page.locator("#listing pre")).to_contain_text("box(ob_0, 3")
    answered(page, 1)
    expect(page.locator("#answers tr.proof")).to_be_visible()
    expect(page.locator("#answers tr.proof")).to_contain_text(re.compile(r"position\(ob_0, 4[01]\d\.\d+, [56]\d\."))
    assert page.evaluate("history.length") == length, "one step of the way back, however much is corrected"
    press(page, "Done")
    expect(page.locator("#editor")).to_have_count(0)
    expect(page.get_by_role("button", name="Correct")).to_be_focused()
    page.reload()
    arrived(page, 3)
    placed(page, [(360, 20, 460, 100)], SEEN)
    answered(page, 1)

    # Resized, drawn, deleted, undone; kept inside, and a small one in a large one is reached.
    press(page, "Correct")
    page.mouse.click(*at(page, 410, 60))
    expect(page.locator("#editor .kept")).to_have_attribute("aria-label", "ob_0, 100 by 80 pixels at 360, 20")
    drag(page, (461, 101), (521, 161))
    first_at(page, 440)
    placed(page, [(360, 20, 520, 160)])
    drag(page, (300, 170), (639, 399))
    corrected(page, 4)
    placed(page, [(300, 170, 639, 399)], start=3)
    drag(page, (620, 10), (623, 13))  # a click, nearly, though no thin box
    page.mouse.click(*at(page, 430, 260))
    expect(page.locator("#editor .kept")).to_have_attribute("aria-label", re.compile("60 by 120 pixels at 400, 200"))
    page.mouse.click(*at(page, 140, 300))
    press(page, "Delete")
    corrected(page, 3)
    labels = [box.get_attribute("aria-label") or "" for box in page.locator("#editor .box").all()]
    assert sorted(label.split(",")[0] for label in labels) == ["ob_0", "ob_1", "ob_2"]
    drag(page, (-30, -30), (20, 20))
    for count in (4, 3, 3):
        press(page, "Undo")
        corrected(page, count)
    first_at(page, 410)
    placed(page, [(360, 20, 460, 100), *BOXES[1:]])
    drag(page, (410, 60), (-400, -400))
    first_at(page, 50)
    placed(page, [(0, 0, 100, 80)])


def test_a_detectors_file_tells_of_the_picture_that_is_shown(page: Page) -> None:
    told = [{"file_name": "things.png", "bbox": [30, 40, 50, 60], "category_id": 1, "score": 0.9}]
    drop(page, "found.json", json.dumps(told).encode(), "application/json")
    expect(page.locator("#messages")).to_contain_text("no category has the id 1, none are given")
    document = {
        "images": [{"id": 1, "file_name": "things.png"}],
        "annotations": [{"image_id": 1, "bbox": [30, 40, 50, 60], "category_id": 1}],
        "categories": [{"id": 1, "name": "hard hat"}],
    }
    drop(page, "found.json", json.dumps(document).encode(), "application/json")
    corrected(page, 1)
    ask(page, "category(X, C)")
    answered(page, 1)
    expect(page.locator("#answers")).to_contain_text("hard hat")
