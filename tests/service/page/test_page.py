"""The page, clicked through as a visitor does."""

import base64
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from playwright.sync_api import Page, Route, expect

from service.prolog_text import write_value
from tests.service.helpers import encode
from tests.service.page.conftest import Serve, Visit, arrived, take
from tests.service.test_prolog_text import values

pytestmark = pytest.mark.slow(96)

ROOT = Path(__file__).parents[3]
NINE = ROOT / "examples" / "nine-objects" / "image.png"
BETWEEN = ROOT / "examples" / "between" / "image.png"
TOKEN = "a-token-of-the-test"


def ask(page: Page, query: str) -> None:
    page.locator("#query").fill(query)
    page.locator("#query").press("Enter")
    expect(page.locator("#asking")).to_have_attribute("aria-busy", "false")


def lit(page: Page) -> dict[str, str]:
    """The objects that are lit, each with its variable's name."""
    return {
        str(symbol.get_attribute("data-object")): symbol.locator(".variable").text_content() or ""
        for symbol in page.locator("#picture .symbol.lit").all()
    }


def answered(page: Page, count: int) -> None:
    """Waits for so many rows of answers."""
    expect(page.locator("#answers tbody tr[data-lights]")).to_have_count(count)


def why(page: Page, number: int = 1) -> None:
    page.get_by_role("button", name=f"Why answer {number}?").click()


def hold(page: Page, path: str) -> list[Route]:
    """Where the requests to that path come to wait."""
    held: list[Route] = []
    page.route(path, lambda route: held.append(route))
    return held


def tab_to(page: Page, wanted: str, *, most: int = 20) -> None:
    """Presses the tabulator until an element of that selector has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.locator(f"{wanted}:focus").count():
            return
    pytest.fail(f"{wanted} is not reached")


def cells(page: Page) -> list[str]:
    return page.locator("#answers tbody tr[data-lights] td:not(.act)").all_text_contents()


def drop(page: Page, name: str, content: bytes, type: str = "image/png") -> None:
    """Drops a file on the page, as far as a script can."""
    page.evaluate(
        """([name, content, type]) => {
            const bytes = Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([bytes], name, { type }));
            for (const kind of ["dragover", "drop"]) {
                document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
            }
        }""",
        [name, base64.b64encode(content).decode(), type],
    )


def test_an_example_is_shown_with_its_objects_outlined_and_named(visit: Visit) -> None:
    page = visit()
    expect(page.locator("#scene")).to_be_hidden()
    take(page, "Between", 3)
    assert page.locator("#picture .object .name").all_text_contents() == ["ob_0", "ob_1", "ob_2"]
    expect(page.locator("#notes")).to_have_text("3 objects seen by relations-game · resized from 360x360 to 36x36")
    picture = page.locator("#picture image").first.bounding_box()
    assert picture is not None
    for symbol, third in zip(page.locator("#picture .object .area").all(), range(3), strict=True):
        box = symbol.bounding_box()
        assert box is not None
        assert box["x"] == pytest.approx(picture["x"] + third * picture["width"] / 3, abs=8)
        assert box["y"] == pytest.approx(picture["y"] + third * picture["height"] / 3, abs=8)


def test_an_object_pointed_at_shows_its_mask_and_its_facts(visit: Visit) -> None:
    page = visit("Between", 3)
    expect(page.locator("#picture .cell")).to_have_count(0)
    page.locator("#picture .object").nth(1).hover()
    expect(page.locator("#picture .cell")).to_have_count(25)
    shares = [float(c.get_attribute("fill-opacity") or 0) for c in page.locator("#picture .cell").all()]
    assert max(range(25), key=shares.__getitem__) == 12, "the one in the middle"
    cell = page.locator("#picture .cell").nth(12).bounding_box()
    area = page.locator("#picture .object .area").nth(1).bounding_box()
    assert cell is not None
    assert area is not None
    for start, length in (("x", "width"), ("y", "height")):
        assert cell[start] + cell[length] / 2 == pytest.approx(area[start] + area[length] / 2, abs=1)  # type: ignore[literal-required]
    inspector = page.locator("#inspector")
    expect(inspector.locator("h3")).to_have_text("ob_1")
    expect(inspector).to_contain_text("position(ob_1, 180.0000, 180.0000).")
    page.locator("#query").hover()
    expect(page.locator("#picture .cell")).to_have_count(0)

    page.locator("#picture .object").nth(1).click()
    page.locator("#query").hover()
    expect(inspector.locator("h3")).to_have_text("ob_1")
    inspector.get_by_text("heads that picked it").click()
    inspector.locator(".head").first.hover()
    expect(page.locator("#picture .heat")).to_have_count(2)
    page.get_by_role("button", name="same(ob_1, X)").click()
    expect(page.locator(".verdict")).to_have_text("false.")
    page.keyboard.press("Escape")
    expect(inspector.locator("h3")).to_have_count(0)


def test_answers_are_a_table_whose_names_light_up_in_the_picture(visit: Visit) -> None:
    page = visit("Between", 3)
    page.get_by_role("button", name="Does one lie between two alike?").click()
    answered(page, 1)
    assert page.locator("#answers thead th").all_text_contents() == ["X", "Y", "Middle"]
    assert cells(page) == ["ob_0", "ob_2", "ob_1"]
    assert lit(page) == {}
    page.locator("#answers td.act").hover(position={"x": 2, "y": 2})
    assert lit(page) == {"ob_0": "X", "ob_1": "Middle", "ob_2": "Y"}
    page.get_by_role("button", name="ob_2", exact=True).hover()
    expect(page.locator("#picture .strong")).to_have_attribute("data-object", "ob_2")
    page.locator("#query").hover()
    assert lit(page) == {}
    page.get_by_role("button", name="ob_1", exact=True).focus()
    assert "ob_1" in lit(page)


@pytest.mark.parametrize(
    ("query", "verdict", "status"),
    [
        ("same(ob_0, ob_2)", "true.", "1 answer"),
        ("member(_, [a, b])", "true. 2 times", "2 answers"),
        ("same(ob_0, ob_1)", "false.", "No answer"),
    ],
)
def test_goals_without_variables_are_true_or_false(visit: Visit, query: str, verdict: str, status: str) -> None:
    page = visit("Between", 3)
    ask(page, query)
    expect(page.locator(".verdict")).to_have_text(verdict)
    expect(page.locator("#status")).to_contain_text(status)


def test_the_page_writes_values_as_the_command_line_does(visit: Visit) -> None:
    page = visit("Between", 3)
    ask(page, "dif(X, ob_1)")
    expect(page.locator("#answers tbody td").nth(1)).to_have_text(re.compile(r"dif\(X, ?ob_1\)"))

    @settings(max_examples=8, deadline=None)
    @given(st.lists(values, min_size=30, max_size=60))
    def write(some: list[Any]) -> None:
        written = page.evaluate(
            """async (json) => {
                const { readReply, write } = await import("/static/terms.js");
                return readReply(json).answers.map(({ bindings }) => write(bindings.X));
            }""",
            json.dumps({"answers": [{"bindings": {"X": value}} for value in some]}),
        )
        # The page puts a space behind each comma, for lines to break there.
        assert [text.replace(", ", ",") for text in written] == [
            write_value(value).replace(", ", ",") for value in some
        ]

    write()


def test_more_answers_come_when_asked_for(visit: Visit) -> None:
    page = visit("Between", 3)
    ask(page, "between(1, 5000, X)")
    rows = page.locator("#answers tbody tr[data-lights]")
    expect(rows).to_have_count(50)
    expect(page.locator("#status")).to_contain_text("The first 50 answers; there are more")
    page.get_by_role("button", name="Show more").click()
    expect(rows).to_have_count(1000)
    expect(page.locator("#answers .after")).to_contain_text("no more than these at once")


def test_answers_are_copied_as_the_json_that_came(visit: Visit) -> None:
    page = visit("Between", 3, permissions=["clipboard-read", "clipboard-write"])
    ask(page, "position(ob_1, X, Y)")
    page.get_by_role("button", name="Copy as JSON").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert json.loads(copied)["answers"] == [{"bindings": {"X": 180.0, "Y": 180.0}}]
    assert "180.0" in copied


def test_a_mistake_is_marked_at_its_place(visit: Visit) -> None:
    page = visit("Between", 3)
    query = "X = '🙂', same(X Y)"
    with page.expect_response("**/query") as response:
        ask(page, query)
    expect(page.locator(".problem")).to_contain_text("Syntax error")
    position = response.value.json()["position"]
    assert page.locator(".culprit").text_content() == query
    before = page.locator(".culprit").evaluate("(pre) => pre.firstChild.textContent")
    assert before == query[:position], "counted in characters, though one of them takes two units in JavaScript"
    assert page.locator(".culprit mark").text_content() == query[position]
    ask(page, "sane(X, Y)")
    expect(page.locator(".problem")).to_contain_text("did you mean same/2")
    ask(page, "object(X)")
    expect(page.locator(".problem")).to_have_count(0)


def test_a_beginners_mistake_gets_a_hint(visit: Visit) -> None:
    page = visit("Between", 3)
    ask(page, "same(Ob_0, X)")
    expect(page.locator("#answers .hint")).to_have_text(
        "Ob_0 begins with a capital letter, so it is a variable: did you mean ob_0?"
    )
    answered(page, 2)
    ask(page, "same(ob0, X)")
    expect(page.locator(".problem")).to_contain_text("no object ob0: there are ob_0 … ob_2")
    ask(page, "object(X) same(X, Y)")
    expect(page.locator(".problem")).to_contain_text("is a comma missing before same?")
    expect(page.locator("#answers .hint")).to_have_count(0)


def test_rules_are_used_completed_and_their_mistakes_shown_at_their_line(visit: Visit) -> None:
    page = visit("Between", 3)
    page.get_by_text("Rules of your own").click()
    page.locator("#rules").fill("alone(X) :-\n    object(X),\n    \\+ same(X, _).")
    expect(page.locator("#rules-state")).to_have_text(": alone/1")
    page.locator("#query").press_sequentially("alo")
    expect(page.locator("#completions li")).to_contain_text(["your rule"])
    page.locator("#query").press("Tab")
    page.locator("#query").press_sequentially("X)")
    page.locator("#query").press("Enter")
    answered(page, 1)
    assert cells(page) == ["ob_1"]
    page.locator("#rules").fill("ok(1).\nalone(X :- object(X).")
    ask(page, "alone(X)")
    expect(page.locator(".problem")).to_contain_text("2  alone(X :- object(X).")


def test_the_theory_that_comes_along_is_rules_by_its_name(visit: Visit) -> None:
    page = visit("Between", 3)
    page.get_by_text("Rules of your own").click()
    expect(page.locator("#rules-box label")).to_contain_text("relations_game")
    page.locator("#rules").fill("relations_game")
    ask(page, "flanked_by_twins(Middle, ob_0, ob_2)")
    assert cells(page) == ["ob_1"]
    why(page)
    expect(page.locator("#answers tr.proof summary").first).to_contain_text("by a rule of relations_game.pl")
    page.locator("#rules").fill("relations_game\ntask(0).")
    expect(page.locator("#rules-state")).to_have_text(": task/1")
    ask(page, "row_pattern_label(L)")
    assert cells(page) == ["0"]


def test_a_proof_unfolds_and_an_answer_missed_says_how_near_it_came(visit: Visit) -> None:
    page = visit("Between", 3)
    ask(page, "same(X, Y)")
    why(page, 2)
    tree = page.locator("#answers tr.proof").nth(1)
    expect(tree.locator("summary").first).to_contain_text("same(ob_2, ob_0)")
    expect(tree.locator(".clause").first).to_contain_text("same(X, Y) :- noise_level(N)")
    step = tree.locator("summary", has_text="near(").first
    expect(step).to_contain_text("by a rule, r4: shape")
    step.click()
    expect(tree.locator(".leaf", has_text="object(ob_2)").first).to_be_visible()
    step.hover()
    assert set(lit(page)) == {"ob_0", "ob_2"}
    why(page, 2)
    expect(tree).to_be_hidden()

    ask(page, "same(ob_0, ob_1)")
    page.get_by_role("button", name="why not?").click()
    expect(page.locator("#answers .leaf", has=page.locator(".fails")).last).to_contain_text("missed by")
    expect(page.locator("#answers div.proof summary", has=page.locator(".fails")).first).to_contain_text(
        "by a rule that fails, confidence 0.0005 that it holds"
    )

    ask(page, "findall(X, same(ob_1, X), L)")
    why(page)
    proof = page.locator("#answers tr.proof")
    expect(proof.locator("summary").first).to_contain_text("no solution")
    expect(proof).to_contain_text("What came nearest:")
    expect(proof.locator(".leaf", has=page.locator(".fails")).last).to_contain_text("missed by")


def test_a_proof_says_how_likely_its_steps_are(visit: Visit) -> None:
    near = {"goal": "same(ob_1, ob_0)", "by": "clause", "source": "program", "clause": "p", "confidence": 0.0721}
    denied = {"goal": "\\+ same(ob_1, ob_0)", "by": "negation", "confidence": 0.9279, "nearest": near}
    fact = {"goal": "object(ob_1)", "by": "fact", "source": "program"}
    both = {"goal": "p", "by": "conjunction", "because": [fact, denied]}
    answers = [
        {"bindings": {"X": "ob_1"}, "confidence": 0.9279, "why": both},
        {"bindings": {"X": "ob_0"}, "confidence": 0.999, "why": {**fact, "confidence": 0.999}},
        {"bindings": {"X": "ob_2"}, "why": fact},
    ]
    page = visit()
    page.route("**/query", lambda route: route.fulfill(json={"answers": answers, "more": False, "notes": []}))
    take(page, "Between", 3)
    ask(page, "p")
    for number in (1, 2, 3):
        why(page, number)
    first, second, third = (page.locator("#answers tr.proof").nth(i) for i in range(3))
    expect(first.locator("p.by").first).to_have_text("Confidence 0.93: that of its weakest step.")
    step = first.locator("details", has_text="\\+ same(ob_1, ob_0)").last
    expect(step.locator("summary").first).to_contain_text("nothing shows it, confidence 0.93")
    expect(step.locator("summary").last).to_contain_text("confidence 0.07 that it holds")
    # What the proof begins with is not said twice.
    expect(second).to_have_text("✓object(ob_1)a fact, confidence 0.999")
    expect(third).not_to_contain_text("onfidence")


def test_what_is_no_board_is_warned_of_until_a_board_comes(visit: Visit) -> None:
    page = visit()
    drop(page, "noise.png", encode(np.random.default_rng(1).integers(0, 256, (36, 36, 3), dtype=np.uint8)))
    warning = page.locator("#warnings")
    expect(warning).to_contain_text("This may mean nothing: not a board of the game, it seems: ")
    expect(warning).to_have_attribute("role", "alert")
    expect(warning.locator("p")).to_have_count(1)
    assert warning.locator("p").evaluate("(p) => p.getBoundingClientRect().bottom") < 900, "in sight"
    page.reload()
    expect(warning.locator("p")).to_be_visible()
    take(page, "Between", 3)
    expect(warning).to_be_empty()


def test_a_service_without_proofs_loses_the_button(visit: Visit) -> None:
    page = visit()
    page.route(
        "**/query",
        lambda route: route.fulfill(json={"answers": [{"bindings": {"X": "ob_0"}}], "more": False, "notes": []}),
    )
    take(page, "Between", 3)
    ask(page, "object(X)")
    why(page)
    expect(page.locator("button.why")).to_be_hidden()
    expect(page.locator("#answers")).to_contain_text("gives no reasons")


def test_a_file_is_chosen_or_dropped_and_its_name_is_only_text(visit: Visit) -> None:
    page = visit()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a picture…").click()
    chooser.value.set_files(NINE)
    arrived(page, 9)
    drop(page, "<img src=x onerror=alert(1)>.png", BETWEEN.read_bytes())
    arrived(page, 3)
    assert page.locator("img[src=x]").count() == 0
    drop(page, "<b>no</b>.png", b"no picture")
    expect(page.locator("#messages")).not_to_be_empty()
    assert page.locator("#messages b").count() == 0
    arrived(page, 3)


def test_a_picture_is_pasted(visit: Visit) -> None:
    page = visit()
    page.evaluate(
        """(content) => {
            const bytes = Uint8Array.from(atob(content), (c) => c.charCodeAt(0));
            const data = new DataTransfer();
            data.items.add(new File([bytes], "image.png", { type: "image/png" }));
            document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
        }""",
        base64.b64encode(BETWEEN.read_bytes()).decode(),
    )
    arrived(page, 3)


def test_a_picture_that_no_browser_draws_is_shown_as_the_network_saw_it(visit: Visit) -> None:
    page = visit()
    drop(page, "scene.ppm", encode(Image.open(BETWEEN).convert("RGB"), "PPM"), "image/x-portable-pixmap")
    arrived(page, 3)
    width = page.locator("#picture image").first.evaluate(
        """async (each) => {
            const image = new Image();
            image.src = each.getAttribute("href");
            await image.decode();
            return image.width;
        }"""
    )
    assert width == 36


def test_completion_by_keyboard(visit: Visit) -> None:
    page = visit("Between", 3)
    query, options = page.locator("#query"), page.locator("#completions li")
    query.press_sequentially("object(A), sam")
    expect(options).to_have_text(
        [re.compile(rf"^{name}\(X, Y\)") for name in ("same", "same_shape", "same_colour", "same_row", "same_column")]
    )
    expect(options.first).to_contain_text("X and Y look the same")
    query.press("ArrowDown")
    query.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    active = query.get_attribute("aria-activedescendant")
    assert active == options.nth(1).get_attribute("id")
    query.press("Enter")
    expect(query).to_have_value("object(A), same_shape(")
    expect(page.locator("#completions")).to_be_hidden()
    query.press_sequentially("A, ob_")
    query.press("ArrowUp")
    query.press("Tab")
    expect(query).to_have_value("object(A), same_shape(A, ob_2")
    query.press_sequentially("), agg")
    expect(options).to_have_text([re.compile("aggregate_all")])
    query.press("Escape")
    expect(page.locator("#completions")).to_be_hidden()
    query.press("Shift+Enter")
    expect(query).to_have_value("object(A), same_shape(A, ob_2), agg\n")


def test_everything_goes_by_keyboard(visit: Visit) -> None:
    page = visit()
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to the question")
    tab_to(page, "#examples button:has-text('Between')")
    page.keyboard.press("Enter")
    arrived(page, 3)
    tab_to(page, "[data-object]")
    expect(page.locator("#inspector h3")).to_have_text("ob_0")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#inspector h3")).to_have_text("ob_1")
    page.keyboard.press("Enter")
    expect(page.locator("#picture .kept")).to_have_attribute("data-object", "ob_1")
    tab_to(page, "#query")
    page.keyboard.type("above(X, ob_2)")
    page.keyboard.press("Enter")
    answered(page, 2)
    tab_to(page, "button.why")
    page.keyboard.press("Enter")
    expect(page.locator("#answers .step").first).to_be_visible()


def test_the_program_is_highlighted_searched_folded_and_taken_along(visit: Visit) -> None:
    page = visit("Between", 3)
    listing = page.locator("#listing")
    listing.locator("summary", has_text="object/1").click()
    expect(listing.locator("pre").first).to_have_text("object(ob_0).\nobject(ob_1).\nobject(ob_2).")
    listing.locator(".ob").nth(2).hover()
    assert list(lit(page)) == ["ob_2"]
    for kind, text in (("comment", "% Grounded for"), ("variable", "X"), ("number", "0.1"), ("symbol", ":-")):
        expect(listing.locator(f".p-{kind}", has_text=text).first).to_be_visible()
    page.locator("#filter").fill("position(ob_1,")
    expect(listing.locator("pre")).to_have_text("position(ob_1, 180.0000, 180.0000).")
    page.locator("#filter").fill("")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download .pl").click()
    program = download.value.path().read_text()
    assert download.value.suggested_filename == "scene.pl"
    assert page.locator("#program-size").text_content() == f"{program.count(chr(10)):,} lines"
    assert program.splitlines()[1] == "% What a PrediNet saw in an image, as a Prolog program."
    listing.evaluate("(listing) => listing.querySelectorAll('details').forEach((each) => (each.open = true))")
    expect(listing.locator("pre")).to_have_count(listing.locator("details").count())
    shown = "\n\n".join(page.locator("#listing pre").all_text_contents())
    assert re.sub(r"\n+", "\n", shown).strip() == re.sub(r"\n+", "\n", program).strip(), "every line is there, in order"


def test_the_address_brings_scene_and_answers_back(visit: Visit) -> None:
    page = visit("A row", 3)
    page.get_by_role("button", name="Is the pattern a-b-a?").click()
    answered(page, 1)
    shared = page.url
    take(page, "Nine stripes", 9)
    page.go_back()
    arrived(page, 3)
    answered(page, 1)

    other = visit(at="/#" + shared.partition("#")[2])
    arrived(other, 3)
    answered(other, 1)
    assert cells(other) == ["ob_0", "ob_1", "ob_2"]
    gone = visit(at="/#scene=" + 32 * "0")
    expect(gone.locator("#messages")).not_to_be_empty()


def test_back_asks_what_was_asked_with_the_rules_of_then(visit: Visit) -> None:
    page = visit("A row", 3)
    addresses = []
    for question in ("Do all have one shape?", "Is the pattern a-b-a?"):
        page.get_by_role("button", name=question).click()
        expect(page.locator("#asking")).to_have_attribute("aria-busy", "false")
        addresses.append(page.url)
    length = page.evaluate("history.length")
    with page.expect_request("**/query") as asked:
        page.go_back()
    assert asked.value.post_data_json["rules"] == ""
    expect(page.locator("#rules-state")).to_be_empty()
    assert page.url == addresses[0]
    with page.expect_request("**/query") as asked:
        page.go_forward()
    assert "aba(X, Y, Z) :-" in asked.value.post_data_json["rules"]
    assert (page.url, page.evaluate("history.length")) == (addresses[1], length)


def test_skipping_to_the_question_leaves_the_address_alone(visit: Visit) -> None:
    page = visit("Between", 3)
    address = page.url
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#query")).to_be_focused()
    assert page.url == address


def test_while_a_picture_is_looked_at_that_is_said(visit: Visit) -> None:
    page = visit()
    held = hold(page, "**/scenes")
    page.get_by_role("button", name="Between", exact=True).click()
    expect(page.locator("#progress")).to_have_text("Looking at the picture…")
    while not held:
        page.wait_for_timeout(10)
    held[0].continue_()
    arrived(page, 3)
    expect(page.locator("#progress")).to_be_empty()


def test_nothing_that_comes_in_becomes_markup(visit: Visit) -> None:
    page = visit("Between", 3)
    evil = "<img src=x onerror=alert(1)>"
    ask(page, f"X = '{evil}', Y = \"{evil}\", Z = '{evil}'({evil.count('x')}), dif(W, '{evil}')")
    answered(page, 1)
    assert cells(page)[:3] == [f"'{evil}'", f'"{evil}"', f"'{evil}'(1)"]
    page.locator("#rules").evaluate("(area, text) => { area.value = text; }", f"evil(X) :- object(_), X = '{evil}'.")
    ask(page, "evil(X)")
    why(page)
    expect(page.locator("#answers .clause").first).to_contain_text(evil)
    ask(page, f"'{evil}'(X)")
    expect(page.locator(".problem")).to_contain_text(evil)
    page.locator("#filter").fill(evil)
    expect(page.locator("#listing")).to_contain_text(evil)
    assert page.locator("img[src=x]").count() == 0
    visit(at=f"/#scene={evil}&query={evil}")


def test_a_service_with_tokens_asks_for_one(visit: Visit, serve: Serve) -> None:
    with serve(tokens=TOKEN) as address:
        page = visit(at=f"{address}/")
        form = page.locator("#token-form")
        expect(form).to_be_hidden()
        page.get_by_role("button", name="Between", exact=True).click()
        expect(page.get_by_label("This service asks for a token.")).to_be_focused()
        page.keyboard.type("wrong, and not even ASCII: ü")
        page.keyboard.press("Enter")
        expect(form).to_contain_text("not accepted")
        page.keyboard.type(TOKEN)
        page.keyboard.press("Enter")
        arrived(page, 3)
        expect(form).to_be_hidden()
        page.reload()
        arrived(page, 3)
        assert page.evaluate("[sessionStorage.length, localStorage.length, document.cookie]") == [1, 0, ""]
        page.context.close()


def test_a_service_that_is_gone_or_busy_is_told_of(visit: Visit) -> None:
    page = visit("Between", 3)
    page.context.set_offline(True)
    ask(page, "object(X)")
    expect(page.locator(".problem")).to_contain_text("The service does not answer")
    page.get_by_role("button", name="Nine stripes", exact=True).click()
    expect(page.locator("#messages")).to_contain_text("The service does not answer")
    expect(page.locator("#picture .object")).to_have_count(3)
    page.context.set_offline(False)
    page.route(
        "**/query",
        lambda route: route.fulfill(status=503, headers={"Retry-After": "7"}, json={"title": "Busy", "detail": "all"}),
    )
    ask(page, "object(X)")
    expect(page.locator(".problem")).to_contain_text("Try again in 7 seconds.")
    page.unroute("**/query")
    page.route("**/query", lambda route: route.fulfill(status=502, body="<h1>a proxy's page</h1>"))
    ask(page, "object(X)")
    expect(page.locator(".problem")).to_contain_text("The service answered 502.")


def test_a_later_question_overtakes_an_earlier_one(visit: Visit) -> None:
    """The page is busy until the last one is answered, and then takes no answer of an earlier one."""
    page = visit("Between", 3)
    held = hold(page, "**/query")
    for early in (True, False):
        held.clear()
        for query in ("above(X, Y)", "same(X, Y)"):
            page.locator("#query").fill(query)
            page.locator("#query").press("Enter")
        while len(held) < 2:
            page.wait_for_timeout(10)
        if not early:
            held[1].continue_()
            answered(page, 2)
        with page.expect_event("requestfinished"):
            held[0].continue_()
        page.wait_for_timeout(100)  # for the page to take the first answer, if it did
        if early:
            expect(page.locator("#submit")).to_be_disabled()
            expect(page.locator("#asking")).to_have_attribute("aria-busy", "true")
            held[1].continue_()
        expect(page.locator("#submit")).to_be_enabled()
        assert cells(page) == ["ob_0", "ob_2", "ob_2", "ob_0"]
    page.locator("#query").press("Enter")
    expect(page.locator("#submit")).to_be_disabled()
    take(page, "A row", 3)
    expect(page.locator("#submit")).to_be_enabled()


def test_the_documentation_shows_every_operation(visit: Visit) -> None:
    page = visit(at="/docs", ready=".opblock")
    document = page.evaluate("async () => (await fetch('openapi.json')).json()")
    for path, methods in document["paths"].items():
        for method in methods:
            shown = page.locator(f".opblock-{method}", has=page.locator(f"[data-path='{path}']"))
            expect(shown).to_have_count(1)
