"""A visitor's ways through the page: to ask, to be wrong, to see why, to write rules, to bring pictures."""

import re
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Route, expect

from tests.pictures import encode
from tests.service.page.conftest import Serve, Visit
from tests.service.page.helpers import answered, arrived, ask, cells, drop, lit, press, take, why

pytestmark = pytest.mark.slow(40)

EXAMPLES = Path(__file__).parents[3] / "examples"
NINE, BETWEEN = (EXAMPLES / name / "image.png" for name in ("nine-objects", "between"))
TOKEN = "a-token-of-the-test"
EVIL = "<img src=x onerror=alert(1)>"


def test_a_picture_is_looked_at_and_asked(visit: Visit) -> None:
    page = visit(permissions=["clipboard-read", "clipboard-write"])
    expect(page.locator("#scene")).to_be_hidden()
    held: list[Route] = []
    page.route("**/scenes", lambda route: held.append(route))
    press(page, "Between")
    expect(page.locator("#progress")).to_have_text("Looking at the picture…")
    while not held:
        page.wait_for_timeout(10)
    held[0].continue_()
    arrived(page, 3)
    page.unroute("**/scenes")
    expect(page.locator("#progress")).to_be_empty()
    expect(page.locator("#notes")).to_have_text("3 objects seen by relations-game · resized from 360x360 to 36x36")
    assert page.locator("#picture .object .name").all_text_contents() == ["ob_0", "ob_1", "ob_2"]
    picture = page.locator("#picture image").first.bounding_box()
    areas = [area.bounding_box() or {} for area in page.locator("#picture .object .area").all()]
    for third, area in enumerate(areas):  # they lie on the diagonal
        for start, length in (("x", "width"), ("y", "height")):
            assert area[start] == pytest.approx(picture[start] + third * picture[length] / 3, abs=8)

    # An object that is pointed at shows its mask and its facts; one that is clicked keeps them.
    cell, inspector = page.locator("#picture .cell"), page.locator("#inspector")
    expect(cell).to_have_count(0)
    page.locator("#picture .object").nth(1).hover()
    expect(cell).to_have_count(25)
    shares = [float(each.get_attribute("fill-opacity") or 0) for each in cell.all()]
    assert max(range(25), key=shares.__getitem__) == 12, "the one in the middle"
    middle = cell.nth(12).bounding_box() or {}
    for start, length in (("x", "width"), ("y", "height")):
        assert middle[start] + middle[length] / 2 == pytest.approx(areas[1][start] + areas[1][length] / 2, abs=1)
    expect(inspector.locator("h2")).to_have_text("ob_1")
    expect(inspector).to_contain_text("position(ob_1, 180.0000, 180.0000).")
    page.locator("#query").hover()
    expect(cell).to_have_count(0)
    page.locator("#picture .object").nth(1).click()
    page.locator("#query").hover()
    expect(inspector.locator("h2")).to_have_text("ob_1")
    inspector.get_by_text("heads that picked it").click()
    inspector.locator(".head").first.hover()
    expect(page.locator("#picture .heat")).to_have_count(2)
    page.get_by_role("button", name="same(ob_1, X)").click()
    expect(page.locator(".verdict")).to_have_text("false.")
    page.keyboard.press("Escape")
    expect(inspector.locator("h2")).to_have_count(0)

    # Answers are a table whose names light up in the picture.
    page.get_by_role("button", name="Does one lie between two alike?").click()
    answered(page, 1)
    assert page.locator("#answers thead th").all_text_contents() == ["X", "Y", "Middle"]
    assert cells(page) == ["ob_0", "ob_2", "ob_1"]
    assert lit(page) == {"ob_0": "X", "ob_1": "Middle", "ob_2": "Y"}, "the first answer, until another is pointed at"
    page.locator("#answers td.act").hover(position={"x": 2, "y": 2})
    assert lit(page) == {"ob_0": "X", "ob_1": "Middle", "ob_2": "Y"}
    page.get_by_role("button", name="ob_2", exact=True).hover()
    expect(page.locator("#picture .strong")).to_have_attribute("data-object", "ob_2")
    page.locator("#query").hover()
    assert lit(page) == {"ob_0": "X", "ob_1": "Middle", "ob_2": "Y"}
    page.get_by_role("button", name="ob_1", exact=True).focus()
    assert "ob_1" in lit(page)
    for query, verdict, status in (
        ("same(ob_0, ob_2)", "true.", "1 answer"),
        ("member(_, [a, b])", "true. 2 times", "2 answers"),
        ("same(ob_0, ob_1)", "false.", "No answer"),
    ):
        ask(page, query)
        expect(page.locator(".verdict")).to_have_text(verdict)
        expect(page.locator("#status")).to_contain_text(status)
    ask(page, "How many things are the same as ob_0")
    expect(page.locator(".meaning")).to_have_text("1 aggregate_all(count, (object(X), same(X, ob_0), ob_0\\==X), N)")
    ask(page, "between(1, 5000, X)")
    answered(page, 50)
    expect(page.locator("#status")).to_contain_text("The first 50 answers; there are more")
    press(page, "Show more")
    answered(page, 1000)
    expect(page.locator("#answers .after")).to_contain_text("no more than these at once")
    ask(page, "position(ob_1, X, Y)")
    press(page, "Copy as JSON")
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert '{"X":180.0,"Y":180.0}' in copied, "as it came: 180 would be another number"

    # Values are written as the command line writes them.
    ask(page, "dif(X, ob_1), Y = f(60.0, \"s\", 'A b', -7)")
    assert cells(page) == ["f(60.0,\"s\",'A b',-7)", "dif(X, ob_1)"], "X has no value"


def test_what_goes_wrong_is_told_and_the_next_question_is_answered(visit: Visit) -> None:
    page = visit("Between", 3)
    query, problem, hint = "X = '🙂', same(X Y)", page.locator(".problem"), page.locator("#answers .hint")
    with page.expect_response("**/query") as response:
        ask(page, query)
    expect(problem).to_contain_text("Syntax error")
    position = response.value.json()["position"]
    assert page.locator(".culprit").text_content() == query
    before = page.locator(".culprit").evaluate("(pre) => pre.firstChild.textContent")
    assert before == query[:position], "counted in characters, though one of them takes two units in JavaScript"
    assert page.locator(".culprit mark").text_content() == query[position]
    ask(page, "sane(X, Y)")
    expect(problem).to_contain_text("did you mean same/2")
    ask(page, "same(Ob_0, X)")
    expect(hint).to_have_text("Ob_0 begins with a capital letter, so it is a variable: did you mean ob_0?")
    expect(problem).to_have_count(0)
    answered(page, 2)

    # A service that is gone, busy, or not the one that answers.
    page.context.set_offline(True)
    ask(page, "object(X)")
    expect(problem).to_contain_text("The service does not answer")
    press(page, "Nine stripes")
    expect(page.locator("#messages")).to_contain_text("The service does not answer")
    expect(page.locator("#picture .object")).to_have_count(3)
    page.context.set_offline(False)
    replies: list[tuple[dict[str, Any], str]] = [
        ({"status": 503, "headers": {"Retry-After": "7"}, "json": {"title": "Busy", "detail": "all"}}, "in 7 seconds."),
        ({"status": 502, "body": "<h1>a proxy's page</h1>"}, "The service answered 502."),
    ]
    for reply, text in replies:
        page.route("**/query", partial(Route.fulfill, **reply))
        ask(page, "object(X)")
        expect(problem).to_contain_text(text)
        page.unroute("**/query")

    # Nothing that comes in becomes markup.
    take(page, "Between", 3)
    ask(page, f"X = '{EVIL}', Y = \"{EVIL}\", Z = '{EVIL}'({EVIL.count('x')}), dif(W, '{EVIL}')")
    answered(page, 1)
    assert cells(page) == [f"'{EVIL}'", f'"{EVIL}"', f"'{EVIL}'(1)", f"dif(W, '{EVIL}')"], "W has no value"
    page.locator("#rules").evaluate("(area, text) => { area.value = text; }", f"evil(X) :- object(_), X = '{EVIL}'.")
    ask(page, "evil(X)")
    why(page)
    expect(page.locator("#answers .clause").first).to_contain_text(EVIL)
    ask(page, f"'{EVIL}'(X)")
    expect(page.locator(".problem")).to_contain_text(EVIL)
    page.locator("#filter").fill(EVIL)
    expect(page.locator("#listing")).to_contain_text(EVIL)
    drop(page, f"{EVIL}.png", NINE.read_bytes())
    arrived(page, 9)
    drop(page, "<b>no</b>.png", b"no picture")
    expect(page.locator("#messages")).to_contain_text("Below is the picture from before.")
    assert page.locator("img[src=x], #messages b").count() == 0
    visit(at=f"/#scene={EVIL}&query={EVIL}")


def test_an_answer_has_its_reasons(visit: Visit) -> None:
    page = visit("Between", 3)
    ask(page, "same(X, Y)")
    page.locator("#help summary").click()
    expect(page.locator("#help ol")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#help ol")).to_be_hidden()
    why(page, 2)
    tree = page.locator("#answers tr.proof").nth(1)
    expect(tree.locator("summary").first).to_contain_text("same(ob_2, ob_0)")
    expect(tree.locator(".clause").first).to_contain_text("same(X, Y) :- noise_level(N)")
    tree.locator("summary", has_text="7 of 7 axes within").first.click()
    assert tree.locator(".compared").first.locator(".thumb").count() == 2
    step = tree.locator("summary", has_text="near(").first
    expect(step).to_contain_text("by a rule, r4: shape")
    step.click()
    expect(tree.locator(".leaf", has_text="object(ob_2)").first).to_be_visible()
    step.hover()
    assert set(lit(page)) == {"ob_0", "ob_2"}
    why(page, 2)
    expect(tree).to_be_hidden()
    ask(page, "same(ob_0, ob_1)")
    press(page, "why not?")
    fails = page.locator(".fails")
    page.locator("#answers summary", has_text="axes within").last.click()
    expect(page.locator("#answers .leaf", has=fails).last).to_contain_text("missed by")
    expect(page.locator("#answers div.proof summary", has=fails).first).to_contain_text(
        "by a rule that fails, confidence 0.0005 that it holds"
    )
    query = page.locator("#query")
    for key, question in (("ArrowUp", "same(X, Y)"), ("ArrowUp", "same(X, Y)"), ("ArrowDown", "same(ob_0, ob_1)")):
        query.press(key)
        expect(query).to_have_value(question)
    page.get_by_text("What if?").click()
    press(page, "Suppose that …")
    expect(page.locator("#fact")).to_be_focused()
    page.locator("#fact").fill("same(ob_0, ob_1)")
    press(page, "Suppose that …")
    expect(page.locator("#supposed")).to_contain_text("After")
    press(page, "What would have to change?")
    expect(page.locator("#supposed")).to_contain_text("It has an answer if")
    ask(page, "findall(X, same(ob_1, X), L)")
    why(page)
    proof = page.locator("#answers tr.proof")
    expect(proof.locator("summary").first).to_contain_text("no solution")
    expect(proof).to_contain_text("What came nearest:")
    expect(proof.locator(".leaf", has=fails).last).to_contain_text("missed by")


def test_rules_and_the_program_and_the_way_back(visit: Visit) -> None:
    page = visit("Between", 3)
    page.get_by_text("Rules of your own").click()
    rules, state, query = page.locator("#rules"), page.locator("#rules-state"), page.locator("#query")
    rules.fill("alone(X) :-\n    object(X),\n    \\+ same(X, _).")
    expect(state).to_have_text(": alone/1")
    query.press_sequentially("alo")
    expect(page.locator("#completions li")).to_contain_text(["your rule"])
    query.press("Tab")
    query.press_sequentially("X)")
    query.press("Enter")
    answered(page, 1)
    assert cells(page) == ["ob_1"]
    rules.fill("ok(1).\nalone(X :- object(X).")
    ask(page, "alone(X)")
    expect(page.locator(".problem")).to_contain_text("2  alone(X :- object(X).")
    expect(page.locator("#rules-box label")).to_contain_text("relations_game")
    rules.fill("relations_game\ntask(0).")
    expect(state).to_have_text(": task/1")
    ask(page, "row_pattern_label(L)")
    assert cells(page) == ["0"]
    ask(page, "flanked_by_twins(Middle, ob_0, ob_2)")
    assert cells(page) == ["ob_1"]
    why(page)
    expect(page.locator("#answers tr.proof summary").first).to_contain_text("by a rule of relations_game.pl")

    # The program is highlighted, searched, folded and taken along.
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

    page.get_by_label("in brief").check()
    expect(page.locator("#program-size")).to_have_text(re.compile(r"^\d\d lines$"))
    expect(listing.locator("summary", has_text="object/1")).to_have_count(1)
    page.get_by_label("in brief").uncheck()

    # Back asks what was asked with the rules of then; an address brings scene and answers back.
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
    answered(page, 1)
    take(page, "Nine stripes", 9)
    page.go_back()
    arrived(page, 3)
    answered(page, 1)
    other = visit(at="/#" + addresses[1].partition("#")[2])
    arrived(other, 3)
    answered(other, 1)
    assert cells(other) == ["ob_0", "ob_1", "ob_2"]
    gone = visit(at="/#scene=" + 32 * "0")
    expect(gone.locator("#messages")).not_to_be_empty()


def test_pictures_are_brought(visit: Visit, serve: Serve) -> None:
    page = visit()
    warning = page.locator("#warnings")
    drop(page, "noise.png", encode(np.random.default_rng(1).integers(0, 256, (36, 36, 3), dtype=np.uint8)))
    expect(warning).to_contain_text("This may mean nothing: not a board of the game, it seems: ")
    expect(warning).to_have_attribute("role", "alert")
    expect(warning.locator("p")).to_have_count(1)
    assert warning.locator("p").evaluate("(p) => p.getBoundingClientRect().bottom") < 900, "in sight"
    page.reload()
    expect(warning.locator("p")).to_be_visible()
    with page.expect_file_chooser() as chooser:
        press(page, "Choose a picture…")
    chooser.value.set_files(NINE)
    arrived(page, 9)
    expect(warning).to_be_empty()
    drop(page, "image.png", BETWEEN.read_bytes(), kinds="paste")
    arrived(page, 3)
    drop(page, "nine.ppm", encode(Image.open(NINE).convert("RGB"), "PPM"), "image/x-portable-pixmap")
    arrived(page, 9)
    width = page.locator("#picture image").first.evaluate(
        "(each, _, image = new Image()) => ((image.src = each.href.baseVal), image.decode().then(() => image.width))"
    )
    assert width == 36, "no browser draws it: it is shown as the network saw it"
    with serve(tokens=TOKEN, max_upload=2**16) as address:
        page = visit(at=f"{address}/")
        form = page.locator("#token-form")
        expect(form).to_be_hidden()
        press(page, "Between")
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
        drop(page, "board.bmp", encode(Image.open(BETWEEN).convert("RGB"), "BMP"), "image/bmp")
        expect(page.locator("#notes")).to_contain_text("sent at 360x360: the service takes no larger file")
        assert page.evaluate("[sessionStorage.length, localStorage.length, document.cookie]") == [1, 0, ""]
        page.context.close()
