"""The settings' table: the environment under the options, and a clear word for what is out of bounds."""

import pytest

from service.errors import SettingsError
from service.settings import PREFIX, Settings, load_settings


def test_options_come_before_the_environment_and_that_before_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings().port == 8000
    monkeypatch.setenv(f"{PREFIX}PORT", "9001")
    assert load_settings(port=None).port == 9001
    assert load_settings(port=9002).port == 9002


def test_every_setting_says_what_it_is_and_is_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    values = {
        "model": "other",
        "time_limit": "2.5",
        "answer_limit": "7",
        "host": "::1",
        "port": "81",
        "workers": "3",
        "patience": "0.5",
        "max_upload": "4096",
    }
    assert set(values) == set(Settings.model_fields)
    for name, value in values.items():
        assert Settings.model_fields[name].description
        monkeypatch.setenv(f"{PREFIX}{name.upper()}", value)
    loaded = load_settings()
    assert {name: str(getattr(loaded, name)) for name in values} == values


def test_out_of_bounds_names_where_it_came_from(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError, match=r"^time limit: .*greater than 0, not -1$"):
        load_settings(time_limit=-1)
    monkeypatch.setenv(f"{PREFIX}WORKERS", "many")
    with pytest.raises(SettingsError, match=r"^PREDINET_PROLOG_WORKERS: .*valid integer.*, not 'many'$"):
        load_settings()
