"""Pictures of any size on the page: boxes that fit, corrected by mouse, touch and keys; pictures that are cropped."""

import io
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from service.api.batcher import Batcher
from tests.service.glimpses import ship_to_service
from tests.service.helpers import encode
from tests.service.page.conftest import Serve, Visit, arrived
from tests.service.page.test_page import answered, ask, drop, hold, why

pytestmark = pytest.mark.slow(60)

SIZE = (640, 400)
THINGS = {"#d03030": (60, 40, 160, 120), "#3040c0": (400, 200, 460, 320), "#d03031": (80, 250, 200, 350)}
BOXES = sorted(THINGS.values(), key=lambda box: box[1])


def picture(size: tuple[int, int] = SIZE) -> bytes:
    image = Image.new("RGB", size, "white")
    for colour, box in THINGS.items():
        image.paste(colour, box)
    return encode(image)


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the service was asked to look at, and how."""
    asked: list[dict[str, Any]] = []
    see = Batcher.see

    def spy(self: Batcher, data: bytes, **how: Any) -> Any:
        asked.append(how)
        return see(self, data, **how)

    monkeypatch.setattr(Batcher, "see", spy)
    return asked


@pytest.fixture
def page(visit: Visit, serve: Serve, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The page of a service with a model for pictures of any size, and such a picture on it."""
    ship_to_service(monkeypatch)
    with serve(model=None) as address:
        page = visit(at=f"{address}/", **getattr(request, "param", {}))
        drop(page, "things.png", picture())
        arrived(page, 3)
        yield page
        page.context.close()


def boxes(page: Page, of: str = "#picture .object") -> list[tuple[int, int, int, int]]:
    """Where boxes are drawn, in pixels of the picture, as its own place on the screen tells."""
    frame = page.locator("#picture image").first.bounding_box()
    assert frame is not None
    unit = SIZE[0] / frame["width"]
    assert frame["height"] * unit == pytest.approx(SIZE[1], abs=2), "its own aspect"
    drawn = []
    for each in page.locator(f"{of} .area").all():
        box = each.bounding_box()
        assert box is not None
        left, top = (box["x"] - frame["x"]) * unit, (box["y"] - frame["y"]) * unit
        drawn.append(tuple(round(v) for v in (left, top, left + box["width"] * unit, top + box["height"] * unit)))
    return drawn  # type: ignore[return-value]


def near(found: Sequence[Sequence[float]], expected: Sequence[Sequence[float]], slack: float = 3) -> bool:
    return len(found) == len(expected) and all(
        abs(a - b) <= slack for one, other in zip(found, expected, strict=True) for a, b in zip(one, other, strict=True)
    )


def at(page: Page, x: float, y: float) -> tuple[float, float]:
    """A place of the picture on the screen."""
    frame = page.locator("#picture image").first.bounding_box()
    assert frame is not None
    return frame["x"] + x * frame["width"] / SIZE[0], frame["y"] + y * frame["height"] / SIZE[1]


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*at(page, *start))
    page.mouse.down()
    page.mouse.move(*at(page, (start[0] + end[0]) / 2, (start[1] + end[1]) / 2))
    page.mouse.move(*at(page, *end))
    page.mouse.up()


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def corrected(page: Page, count: int) -> None:
    """Waits for the scene of so many boxes."""
    expect(page.locator("#notes")).to_contain_text(f"{count} object{'s' * (count != 1)} in the boxes given")
    expect(page.locator("#program-size")).not_to_be_empty()


def test_boxes_that_fit_are_drawn_at_the_pictures_own_aspect(page: Page) -> None:
    assert near(boxes(page), BOXES)
    expect(page.locator("#notes")).to_have_text("3 objects seen by scenes")
    page.locator("#picture .object").nth(1).hover()
    expect(page.locator("#inspector h3")).to_have_text("ob_1")
    expect(page.locator("#inspector")).not_to_contain_text("look")
    expect(page.locator("#inspector")).not_to_contain_text("heads that picked it")
    assert page.locator("#picture image").first.get_attribute("image-rendering") is None


def test_a_board_has_no_boxes_to_correct(visit: Visit) -> None:
    page = visit("Between", 3)
    expect(page.get_by_role("button", name="Crop")).to_be_visible()
    expect(page.get_by_role("button", name="Correct")).to_have_count(0)
    assert page.locator("#picture image").first.get_attribute("image-rendering") == "pixelated"


def test_program_answers_and_proof_follow_a_box_that_is_moved(page: Page, looked: list[dict[str, Any]]) -> None:
    ask(page, "object(X), position(X, _, Y), Y < 100")
    why(page)
    expect(page.locator("#answers tr.proof")).to_contain_text("position(ob_0, 110.0, 80.0)")
    length = page.evaluate("history.length")
    press(page, "Correct")
    drag(page, (110, 80), (410, 60))
    corrected(page, 3)
    assert [each["model"] for each in looked] == ["scenes"], "the one that found them"
    assert near(json.loads(looked[0]["boxes"]), [(360, 20, 460, 100), *BOXES[1:]])
    assert near(boxes(page, "#editor .box")[:1], [(360, 20, 460, 100)])
    expect(page.locator("#tray > li")).to_have_count(1)
    expect(page.locator("#listing")).to_contain_text("position")
    page.locator("#filter").fill("box(ob_0,")
    expect(page.locator("#listing pre")).to_contain_text("box(ob_0, 3")
    answered(page, 1)
    expect(page.locator("#answers tr.proof")).to_be_visible()
    expect(page.locator("#answers tr.proof")).to_contain_text(re.compile(r"position\(ob_0, 4[01]\d\.\d+, [56]\d\."))
    assert page.evaluate("history.length") == length, "one step of the way back, however much is corrected"
    press(page, "Done")
    expect(page.locator("#editor")).to_have_count(0)
    expect(page.get_by_role("button", name="Correct")).to_be_focused()
    assert near(boxes(page)[:1], [(360, 20, 460, 100)])
    page.reload()
    arrived(page, 3)
    assert near(boxes(page)[:1], [(360, 20, 460, 100)])
    answered(page, 1)


def test_a_box_is_resized_drawn_and_deleted(page: Page) -> None:
    press(page, "Correct")
    page.mouse.click(*at(page, 110, 80))
    expect(page.locator("#editor .kept")).to_have_attribute("aria-label", "ob_0, 100 by 80 pixels at 60, 40")
    drag(page, (161, 121), (221, 181))
    corrected(page, 3)
    assert near(boxes(page, "#editor .box")[:1], [(60, 40, 220, 180)])
    drag(page, (500, 30), (600, 150))
    corrected(page, 4)
    assert near(boxes(page, "#editor .box")[3:], [(500, 30, 600, 150)])
    drag(page, (620, 380), (622, 381))  # a click, nearly
    page.mouse.click(*at(page, 140, 300))
    press(page, "Delete")
    corrected(page, 3)
    labels = [each.get_attribute("aria-label") or "" for each in page.locator("#editor .box").all()]
    assert sorted(label.split(",")[0] for label in labels) == ["ob_0", "ob_1", "ob_2"]
    drag(page, (-30, -30), (20, 20))
    press(page, "Undo")
    corrected(page, 4)
    press(page, "Undo")
    corrected(page, 3)
    press(page, "Undo")
    expect(page.locator("#notes")).to_have_text("3 objects seen by scenes")
    assert near(boxes(page, "#editor .box"), BOXES)


def test_everything_goes_by_keyboard(page: Page) -> None:
    page.get_by_role("button", name="Correct").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Add a box")).to_be_focused()
    page.keyboard.press("Enter")
    corrected(page, 4)
    expect(page.locator("#editor .box").nth(3)).to_be_focused()
    expect(page.locator("#editor .kept")).to_have_attribute("aria-label", "ob_1, 80 by 80 pixels at 280, 160")
    for key in ["ArrowLeft"] * 5 + ["Shift+ArrowDown"] * 4:
        page.keyboard.press(key)
    step = max(1, round(SIZE[0] / (page.locator("#editor").bounding_box() or {"width": 0})["width"]))
    moved = f"ob_1, 80 by {80 + 4 * step} pixels at {280 - 5 * step}, 160"
    expect(page.locator("#editor .kept")).to_have_attribute("aria-label", moved)
    page.keyboard.press("Delete")
    corrected(page, 3)
    expect(page.locator("#editor .box").nth(2)).to_be_focused()
    for _ in range(3):
        page.keyboard.press("Backspace")
    expect(page.locator("#tools-help")).to_have_text("No box is left: draw one, or go back.")
    corrected(page, 3)
    press(page, "As found")
    expect(page.locator("#notes")).to_have_text("3 objects seen by scenes")
    assert near(boxes(page, "#editor .box"), BOXES)
    page.locator("#editor .box").first.focus()
    page.keyboard.press("Escape")
    expect(page.locator("#editor")).to_have_count(0)
    expect(page.get_by_role("button", name="Correct")).to_be_focused()


def test_boxes_stay_inside_and_small_ones_in_large_ones_are_reached(page: Page) -> None:
    press(page, "Correct")
    drag(page, (110, 80), (-400, -400))
    corrected(page, 3)
    assert near(boxes(page, "#editor .box")[:1], [(0, 0, 100, 80)])
    drag(page, (300, 60), (639, 399))
    corrected(page, 4)
    page.mouse.click(*at(page, 430, 260))
    expect(page.locator("#editor .kept")).to_have_attribute("aria-label", "ob_2, 60 by 120 pixels at 400, 200")


def test_a_scene_that_is_brought_back_is_corrected_in_its_own_pixels(
    visit: Visit, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is stored is smaller than what was given."""
    ship_to_service(monkeypatch)
    large = Image.open(io.BytesIO(picture())).resize((2560, 1600), Image.Resampling.NEAREST)
    with serve(model=None) as address:
        page = visit(at=f"{address}/")
        drop(page, "large.png", encode(large))
        arrived(page, 3)
        page.reload()
        arrived(page, 3)
        press(page, "Correct")
        drag(page, (110, 80), (120, 80))
        corrected(page, 3)
        press(page, "Done")
        assert near(boxes(page)[:1], [(70, 40, 170, 120)])
        page.context.close()


def test_a_picture_is_cropped(page: Page) -> None:
    press(page, "Crop")
    press(page, "Crop to it")
    expect(page.locator("#editor")).to_be_visible()
    drag(page, (5, 5), (30, 30))
    drag(page, (300, 150), (500, 399))
    expect(page.locator("#editor .box")).to_have_count(1)
    with page.expect_response("**/scenes") as response:
        press(page, "Crop to it")
    arrived(page, 1)
    image = response.value.json()["image"]
    assert abs(image["width"] - 200) <= 3
    assert abs(image["height"] - 249) <= 3
    (thing,) = response.value.json()["objects"]
    assert abs(thing["left"] - 100) <= 3
    assert (thing["width"], thing["height"]) == (60, 120), "pixel by pixel"
    page.go_back()
    arrived(page, 3)


@pytest.mark.parametrize(
    "page", [{"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}], indirect=True
)
def test_on_a_phone_boxes_are_corrected_by_touch(page: Page) -> None:
    assert near(boxes(page), BOXES, 4)
    press(page, "Correct")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("#picture").scroll_into_view_if_needed()
    start, end = at(page, 110, 80), at(page, 210, 130)
    touch = page.context.new_cdp_session(page)
    for kind, place in (("touchStart", start), ("touchMove", end), ("touchEnd", None)):
        points = [{"x": place[0], "y": place[1]}] if place else []
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    corrected(page, 3)
    assert near(boxes(page, "#editor .box")[:1], [(160, 90, 260, 170)], 4)
    for name in ("Done", "Delete", "Undo", "Add a box", "As found"):
        box = page.get_by_role("button", name=name, exact=True).bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 390


def test_boxes_that_the_service_refuses_are_said_to_be(page: Page) -> None:
    press(page, "Correct")
    page.route(
        "**/scenes", lambda route: route.fulfill(status=422, json={"title": "The boxes cannot be used", "detail": "d"})
    )
    drag(page, (110, 80), (120, 80))
    expect(page.locator("#messages")).to_contain_text("The boxes cannot be used")
    expect(page.locator("#picture .object")).to_have_count(3)
    page.unroute("**/scenes")
    press(page, "Undo")
    expect(page.locator("#messages")).to_be_empty()
    expect(page.locator("body.looking")).to_have_count(0)
    assert near(boxes(page, "#editor .box"), BOXES)


def test_a_correction_is_not_sent_of_another_picture(page: Page, looked: list[dict[str, Any]]) -> None:
    """However slow the machine: pauses of the page end when the test says so."""
    press(page, "Correct")
    page.evaluate("""() => {
        const pauses = new Map();
        let count = 0;
        window.setTimeout = (call) => (pauses.set(++count, call), count);
        window.clearTimeout = (pause) => void pauses.delete(pause);
        window.endPauses = () => pauses.forEach((call) => call());
    }""")
    drag(page, (110, 80), (120, 80))
    page.get_by_role("button", name="Nine stripes", exact=True).click()
    arrived(page, 9)
    expect(page.locator("#editor")).to_have_count(0)
    page.evaluate("endPauses()")
    page.wait_for_timeout(100)
    assert [each["boxes"] for each in looked] == [None], "the new one"


def test_an_earlier_correction_does_not_overtake_a_later_one(page: Page) -> None:
    press(page, "Correct")
    held = hold(page, "**/scenes")
    for end in ((120, 80), (300, 80)):
        wanted = len(held) + 1
        drag(page, (110, 80), end)
        while len(held) < wanted:
            page.wait_for_timeout(10)
    held[1].continue_()
    corrected(page, 3)
    held[0].continue_()
    page.wait_for_timeout(200)
    assert page.locator("#editor .box").first.get_attribute("aria-label") == "ob_0, 100 by 80 pixels at 260, 40"
