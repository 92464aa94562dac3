"""The saved state of the worker's Prolog: made once, made again, and done without."""

import os
import shutil
from pathlib import Path

import pytest

from predinet_prolog.symbolic import swipl
from predinet_prolog.symbolic.swipl import compiled_host, find_swi_prolog


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the worker's Prolog, in a folder whose name needs quotes."""
    folder = tmp_path / "it's"
    folder.mkdir()
    for path in swipl._HOST.parent.glob("*.pl"):
        shutil.copy(path, folder)
    monkeypatch.setattr(swipl, "_HOST", folder / "host.pl")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    return folder / "host.pl"


def test_a_state_is_made_once_and_again_when_a_source_changes(host: Path) -> None:
    installed = find_swi_prolog()
    state = compiled_host(installed)
    made = state.stat().st_mtime_ns
    assert compiled_host(installed) == state
    assert state.stat().st_mtime_ns == made
    with (host.parent / "guard.pl").open("a") as file:
        file.write("% changed\n")
    again = compiled_host(installed)
    assert again != state
    assert set(again.parent.glob("host.*")) == {again, state}, "the old one may be another installation's"
    os.utime(state, (0, 0))
    again.unlink()
    assert compiled_host(installed) == again
    assert list(again.parent.glob("host.*")) == [again], "what is long out of date is gone"
    assert again.is_relative_to(host.parent / "cache"), "nothing stays of a package that is uninstalled"


def test_without_a_state_the_source_is_loaded(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = find_swi_prolog()
    (host.parent / "cache").write_text("no folder")
    assert compiled_host(installed) == host
    (host.parent / "cache").unlink()
    monkeypatch.setattr(swipl, "_SAVE", "fail")
    assert compiled_host(installed) == host
    assert not list((host.parent / "cache").rglob("host*"))
