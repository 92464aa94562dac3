"""A small untrained network, pictures, and the command line in this process and in one of its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from PIL import Image

from predinet_prolog.domains.images import read_image
from predinet_prolog.domains.relations_game import generate
from predinet_prolog.neural import load_model
from predinet_prolog.service.cli import main
from predinet_prolog.service.pipeline import View, open_model, see
from predinet_prolog.service.store import scenes as store_module
from predinet_prolog.service.store.scenes import SceneStore
from tests.service.helpers import CLI, Refused, Run, environment, one_line
from tests.service.store.helpers import MANY, Clock, Open


class Ended(NamedTuple):
    status: int
    out: str
    err: str


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A scene of the game as a PNG."""
    path = tmp_path / "scene.png"
    Image.fromarray(generate("between", 1, seed=3).render()[0]).save(path)
    return path


@pytest.fixture
def seen(model_file: Path, picture: Path) -> View:
    """What the model saw, with three objects put where they are known."""
    model = load_model(model_file)
    (real,) = see(model, [read_image(picture, picture=model.domain.picture)])
    first, *rest = real.scene.symbols
    windows = [(12.0 * i, 12.0 * i, 12.0 * i + 12, 12.0 * i + 12) for i in range(3)]
    things = tuple(replace(first, name=f"ob_{i}", window=window) for i, window in enumerate(windows))
    background = tuple(replace(symbol, name=f"bg_{i}") for i, symbol in enumerate(rest))
    return replace(real, scene=replace(real.scene, things=things, background=background))


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A small program such as export writes."""
    path = tmp_path / "scene.pl"
    path.write_text("object(ob_0).\nobject(ob_1).\nr0(0.25, ob_0, ob_1).\nr0(-1.5, ob_1, ob_0).\n")
    return path


@pytest.fixture(autouse=True)
def _apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model_file: Path) -> None:
    """Nothing of the user's own: an empty folder, no settings but the model and where scenes are kept. A model that one
    test let be shipped is no other test's."""
    open_model.cache_clear()
    for name in list(os.environ):
        if name.upper().startswith("PREDINET_PROLOG_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PREDINET_PROLOG_MODEL", str(model_file))
    monkeypatch.setenv("PREDINET_PROLOG_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process."""

    def call(*arguments: object) -> Ended:
        status = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Ended(status, captured.out, captured.err)

    return call


@pytest.fixture
def refused(run: Run) -> Refused:
    """Runs a command in this process that ends with one line, which has `said` in it, and nothing else."""

    def call(said: str, *arguments: object, status: int = 2) -> None:
        ended = run(*arguments)
        assert (ended.status, ended.out) == (status, ""), (arguments, ended)
        assert said in one_line(ended.err), arguments

    return call


@pytest.fixture
def run_apart(root: Path) -> Run:
    """Runs a command, or any Python code given as `code`, in a process of its own."""

    def call(*arguments: object, code: str | None = None, **more: str) -> Ended:
        command = [sys.executable, "-W", "error", "-c", code or CLI, *map(str, arguments)]
        process = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment(root, **more))
        return Ended(process.returncode, process.stdout, process.stderr)

    return call


@pytest.fixture
def open_store(tmp_path: Path) -> Iterator[Open]:
    """Opens the store in one folder, again and again."""
    opened: list[SceneStore] = []

    def call(folder: Path = tmp_path / "data", **bounds: float) -> SceneStore:
        opened.append(SceneStore(folder, **{"most_bytes": MANY, "most_client_bytes": MANY, "most_days": 30} | bounds))
        return opened[-1]

    yield call
    for one in opened:
        one.close()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(store_module, "time", clock)
    return clock
