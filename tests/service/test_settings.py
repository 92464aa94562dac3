"""The settings' table: options over the environment over defaults, and everything else that is made from it."""

import dataclasses
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from predinet_prolog.service.errors import SettingsError
from predinet_prolog.service.settings import PREFIX, Settings, described, load_settings, table

# A value for every setting, as it is written, and what it becomes.
VALUES: dict[str, tuple[str, object]] = {
    "model": ("other", "other"),
    "time_limit": ("2.5", 2.5),
    "answer_limit": ("7", 7),
    "host": ("::1", "::1"),
    "port": ("81", 81),
    "workers": ("3", 3),
    "waiting": ("5", 5),
    "per_client": ("2", 2),
    "patience": ("0.5", 0.5),
    "learn_seconds": ("7.5", 7.5),
    "max_upload": ("4KiB", 4096),
    "upload_seconds": ("1.5", 1.5),
    "data": ("/some/where", Path("/some/where")),
    "store_bytes": ("2MiB", 2 * 2**20),
    "store_bytes_per_client": ("1MiB", 2**20),
    "store_days": ("0.25", 0.25),
    "tokens": ("0123456789abcdef, fedcba9876543210", ("0123456789abcdef", "fedcba9876543210")),
    "origins": ("https://a.example,http://localhost:3000", ("https://a.example", "http://localhost:3000")),
}


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


def test_every_setting_is_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(VALUES) == {field.name for field in dataclasses.fields(Settings)}
    for name, (text, _) in VALUES.items():
        monkeypatch.setenv(f"{PREFIX}{name.upper()}", text)
    settings = load_settings()
    assert {name: getattr(settings, name) for name in VALUES} == {name: value for name, (_, value) in VALUES.items()}


def test_every_setting_but_the_secret_one_is_an_option_of_serve(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Settings] = []
    monkeypatch.setattr("predinet_prolog.service.api.run", lambda settings, listener, announce: given.append(settings))
    options = {setting.name: setting.option for setting in described()}
    assert [name for name, option in options.items() if option is None] == ["tokens"]
    # An address that can be listened on.
    values = {name: text for name, (text, _) in VALUES.items()} | {"host": "127.0.0.1", "port": "0"}
    arguments = [part for name, option in options.items() if option for part in (option, values[name])]
    assert run("serve", *arguments) == (0, "", "")
    (settings,) = given
    for name in set(options) - {"tokens", "host", "port"}:
        assert getattr(settings, name) == VALUES[name][1]

    def unbroken(text: str) -> str:
        return re.sub(r"[│\s]+", "", text)  # lines of help end at blanks and at hyphens

    help = run("serve", "--help").out
    for setting in described():
        if setting.option:
            assert f"{setting.option} " in help
            assert unbroken(setting.help) in unbroken(help)
            assert unbroken(f"default: {setting.default}") in unbroken(help) or not setting.default


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"time_limit": -1}, "--time-limit: Input should be greater than 0, not -1"),
        ({"port": "65536"}, "--port: Input should be less than or equal to 65535, not '65536'"),
        ({"max_upload": "9 bananas"}, "--max-upload: could not interpret byte unit: bananas, not '9 bananas'"),
        ({"origins": "*"}, "--origins: an origin is http(s)://host or http(s)://host:port, without a path, not '*'"),
        ({"origins": "https://a.example/page"}, "--origins: an origin is http(s)://host or "),
    ],
)
def test_out_of_bounds_names_the_setting_or_the_variable(
    given: dict[str, object], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
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


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="other platforms have other folders")
def test_scenes_are_kept_among_the_accounts_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert load_settings().data_folder() == Path("/data/predinet-prolog")
    for unset in ("", "relative"):
        monkeypatch.setenv("XDG_DATA_HOME", unset)
        assert load_settings().data_folder() == Path("/home/ada/.local/share/predinet-prolog")
    assert load_settings(data="~/scenes").data_folder() == Path("/home/ada/scenes")


def test_the_page_in_docs_is_up_to_date(root: Path) -> None:
    page = (root / "docs" / "service.md").read_text()
    assert page.endswith(f"\n\n{table()}"), (
        "the end of docs/service.md is what `python -m predinet_prolog.service.settings` prints"
    )
    for setting in described():
        assert setting.help
        assert f"`{setting.variable}`" in page
