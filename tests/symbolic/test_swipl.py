"""The saved state of the worker's Prolog: made once, made again, and done without."""

import json
import os
import shutil
from pathlib import Path

import pytest
from platformdirs import user_cache_path

from predinet_prolog.symbolic import swipl
from predinet_prolog.symbolic.swipl import SwiProlog, compiled_host, find_swi_prolog


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the worker's Prolog, in a folder whose name needs quotes."""
    folder = shutil.copytree(swipl._HOST.parent, tmp_path / "it's")
    monkeypatch.setattr(swipl, "_HOST", folder / "host.pl")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    return folder / "host.pl"


def test_a_state_is_made_once_and_again_when_a_source_changes(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = find_swi_prolog()
    made = (state := compiled_host(installed)).stat().st_mtime_ns
    assert (compiled_host(installed), state.stat().st_mtime_ns) == (state, made)
    with (host.parent / "guard.pl").open("a") as file:
        file.write("% changed\n")
    again = compiled_host(installed)
    assert again != state
    assert set(again.parent.glob("host.*")) == {again, state}, "the old one may be another installation's"
    os.utime(state, (0, 0))
    again.unlink()
    assert [compiled_host(installed)] == list(again.parent.glob("host.*")) == [again], "what is out of date is gone"
    assert again.is_relative_to(host.parent / "cache"), "nothing stays of a package that is uninstalled"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert swipl._cache() == user_cache_path("predinet-prolog")
    assert b"ask_each" in again.read_bytes(), "it lies there unpacked"


def test_without_a_state_the_source_is_loaded(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (host.parent / "cache").write_text("no folder")
    assert compiled_host(find_swi_prolog()) == host
    (host.parent / "cache").unlink()
    monkeypatch.setattr(swipl, "_SAVE", "fail")
    assert compiled_host(find_swi_prolog()) == host
    assert not list((host.parent / "cache").rglob("host*"))


def test_what_swipl_says_of_itself_is_kept_until_it_changes(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed, other = find_swi_prolog(), SwiProlog(host, host.parent)
    (kept,) = (host.parent / "cache").rglob("swipl.*.json")
    monkeypatch.setattr(swipl, "_described", lambda executable: other)
    assert find_swi_prolog() == installed
    library, home, changed = json.loads(kept.read_text())
    for stale in ([library, home, changed + 1], [library, "/gone", changed], ["/gone", home, changed], "no list"):
        kept.write_text(json.dumps(stale))
        assert find_swi_prolog() == other
