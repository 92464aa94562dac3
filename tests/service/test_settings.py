"""The settings' table: options over the environment over defaults, and everything else that is made from it."""

from pathlib import Path

import pytest
from platformdirs import user_data_path

from predinet_prolog.service.errors import SettingsError
from predinet_prolog.service.settings import PREFIX, described, load_settings
from tests.cases import cases

CASES = cases(__file__)


@pytest.fixture(autouse=True)
def _bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even what the other tests of the service need."""
    for name in ("MODEL", "DATA"):
        monkeypatch.delenv(PREFIX + name)


def test_options_come_before_the_environment_and_that_before_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings().port == 8000
    monkeypatch.setenv(f"{PREFIX}PORT", "9001")
    assert load_settings(port=None).port == 9001
    assert load_settings(port=9002).port == 9002


@pytest.mark.parametrize(("given", "message"), CASES["bounds"])
def test_out_of_bounds_names_it(given: dict[str, object], message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings(**given)
    assert str(caught.value).startswith(message)
    monkeypatch.setenv(f"{PREFIX}WORKERS", "many")
    with pytest.raises(SettingsError, match=r"^PREDINET_PROLOG_WORKERS: .*valid integer.*, not 'many'$"):
        load_settings()


def test_tokens_stay_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"{PREFIX}TOKENS", "0123456789abcdef")
    assert "0123456789abcdef" not in repr(load_settings())
    monkeypatch.setenv(f"{PREFIX}TOKENS", "0123456789abcdef,s3cret")
    with pytest.raises(SettingsError, match=r"^PREDINET_PROLOG_TOKENS: a token has 16 to 256 characters") as caught:
        load_settings()
    assert "s3cret" not in str(caught.value)
    monkeypatch.setenv(f"{PREFIX}TOKENS", " , ")
    assert load_settings().tokens == ()


def test_scenes_are_kept_among_the_accounts_data() -> None:
    assert load_settings().data_folder() == user_data_path("predinet-prolog", appauthor=False)
    assert load_settings(data="~/scenes").data_folder() == Path.home() / "scenes"


def test_the_page_in_docs_is_up_to_date(root: Path) -> None:
    page = (root / "docs" / "service.md").read_text().partition("\n## Settings\n")[2]
    for setting in described():
        option = "" if setting.option is None else f"`{setting.option} {setting.metavar}`".replace("|", "\\|")
        default = setting.default and f"`{setting.default}`"
        assert f"| {option} | `{setting.variable}` | {setting.help} | {setting.bounds} | {default} |\n" in page
