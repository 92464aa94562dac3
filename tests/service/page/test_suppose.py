"""What if: something is supposed, and the question in the box is answered as if it were so."""

import pytest
from playwright.sync_api import Page, expect

from tests.service.page.conftest import Visit, take

pytestmark = pytest.mark.slow(20)


def suppose(page: Page, fact: str, query: str) -> None:
    page.locator("#query").fill(query)
    page.locator("#fact").fill(fact)
    page.get_by_role("button", name="What if?").click()


def test_what_would_be_so_and_what_would_have_to_be(visit: Visit) -> None:
    page = visit("Between", 3)
    page.get_by_text("Suppose", exact=True).click()
    told = page.locator("#supposed")
    suppose(page, "same_colour(ob_0, ob_1)", "same_colour(ob_1, X)")
    expect(told.locator("p", has_text="ob_1 takes the colour of ob_0")).to_have_count(1)
    lines = told.locator("p").all_text_contents()
    before, after = lines.index("Before"), lines.index("After")
    assert "same_colour(ob_0, ob_1)." in lines[:before]
    assert lines[before + 1 : after] == ["false"]
    assert lines[after + 1 : after + 3] == ["X = ob_0", "X = ob_2"]
    expect(told.locator(".leaf")).to_contain_text("a fact of the supposition")
    suppose(page, "", "same(ob_0, ob_1)")
    expect(told).to_contain_text("It has an answer if")
    suppose(page, "above(ob_0, ob_1)", "same(X, Y)")
    expect(told.get_by_role("alert")).to_contain_text("above/2 cannot be supposed")
    take(page, "Once more below", 4)
    expect(told).to_be_empty()
