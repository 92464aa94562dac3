"""A cluster does what processes of this machine do: the same files, and a node that dies takes nothing with it."""

import filecmp
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from predinet_prolog.domains.relations_game import generate
from predinet_prolog.experiments import PAPER, training
from predinet_prolog.experiments.configurations import Configuration, model_path
from predinet_prolog.experiments.training import train_configurations
from predinet_prolog.neural.engine_choice import open_engine
from predinet_prolog.neural.engines import Engine, Names, Send
from predinet_prolog.neural.errors import NeuralError
from predinet_prolog.service.cli import options
from tests.service.helpers import Run

pytestmark = [pytest.mark.slow(40), pytest.mark.filterwarnings("default")]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes of one processor; this process is on the first."""
    ray = pytest.importorskip("ray", reason="no Ray: pip install 'predinet-prolog[ray]'")
    from ray.cluster_utils import Cluster

    soon = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 200, "health_check_failure_threshold": 3}
    head = {"num_cpus": 1, "include_dashboard": False, "_system_config": soon}
    nodes = Cluster(initialize_head=True, head_node_args=head)
    nodes.add_node(num_cpus=1)
    ray.init(nodes.address, log_to_driver=False, logging_level="ERROR")
    yield nodes
    ray.shutdown()
    nodes.shutdown()


def lengths(names: Names) -> list[int]:
    return [len(os.fsencode(name)) for name in names]


def fail(names: Names) -> None:
    raise NeuralError(f"no {names[0]}")


def count_to(number: int, send: Send) -> None:
    for each in range(number):
        send(number, each)
    if number > 3:
        raise NeuralError(f"no {number}")


def test_without_ray_a_line_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "predinet_prolog.neural.ray_engine", raising=False)
    Path("pictures").mkdir()
    Path("pictures/one.png").touch()
    status, out, err = run("export", "pictures", "--engine", "ray")
    assert (status, out) == (2, "")
    assert "pip install 'predinet-prolog[ray]'" in err
    assert run("export", "pictures/one.png", "--engine", "ray").status == 2


@pytest.mark.usefixtures("cluster")
def test_results_come_in_order_and_errors_as_they_were() -> None:
    engine, names = open_engine("ray"), ["a", "bb", "ccc", "\udcff", "eeeee"]
    results = list(engine.in_batches(lengths, names, total=5, size=2))
    assert results == [[1, 2], [3, 1], [5]]
    assert list(engine.in_batches(lengths, [], total=0, size=2)) == []
    with pytest.raises(NeuralError, match=r"^no a$"):
        list(engine.in_batches(fail, names, total=5, size=2))


@pytest.mark.usefixtures("cluster")
def test_a_folder_becomes_the_same_files(run: Run) -> None:
    Path("pictures").mkdir()
    from PIL import Image

    for number, pixels in enumerate(generate("scatter", 3, seed=5).render()):
        Image.fromarray(pixels).save(f"pictures/{number}.png")
    Path("pictures/empty.png").touch()
    told = {}
    for engine in options.ENGINES:
        assert run("export", "pictures", "--kb", f"{engine}.parquet", "--engine", engine).status == 3
        assert run("export", "pictures", "--kb", f"{engine}.pl", "--engine", engine).status == 3
        told[engine] = run("export", "pictures", "-o", engine, "--engine", engine)
    assert told["ray"].out == told["processes"].out.replace("processes", "ray")
    assert told["ray"].err == told["processes"].err
    names = sorted(path.name for path in Path("ray").iterdir())
    assert names == ["0.pl", "1.pl", "2.pl"]
    assert filecmp.cmpfiles("ray", "processes", names, shallow=False)[0] == names
    for ending in ("parquet", "pl"):
        assert filecmp.cmp(f"ray.{ending}", f"processes.{ending}", shallow=False)


@pytest.mark.usefixtures("cluster")
def test_runs_become_the_same_networks_and_go_on_where_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = replace(PAPER, runs=2, steps=40, batch=3, measurements=2, test_images=7, last_test_images=11)
    first = Configuration("first", "predinet", "between", heads=3, relations=2)
    later = replace(first, name="later", seed=50, start="first", frozen=("encoder",))
    told: list[int] = []

    def interrupt(done: int, total: int, text: str) -> None:
        if done >= 20:
            raise KeyboardInterrupt

    monkeypatch.setattr(training, "SECONDS_PER_SAVE", 0.0)
    with pytest.raises(KeyboardInterrupt):
        train_configurations(tmp_path / "ray", plan, [first], interrupt)
    engines: dict[str, Engine | None] = {"ray": open_engine("ray"), "here": None}
    for folder, engine in engines.items():
        train_configurations(tmp_path / folder, plan, [first, later], lambda done, *_: told.append(done), engine)
        assert told[-1] == 160  # steps of all four runs
    for name in ("first", "later"):
        for run in range(2):
            ours, theirs = (model_path(tmp_path / folder, name, run) for folder in engines)
            assert ours.read_bytes() == theirs.read_bytes()


@pytest.mark.usefixtures("cluster")
def test_what_works_send_is_received_and_an_error_ends_all() -> None:
    engine, received = open_engine("ray"), list[tuple[int, int]]()
    engine.side_by_side([partial(count_to, 3), partial(count_to, 2)], lambda *message: received.append(message))
    assert sorted(received) == [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2)]
    with pytest.raises(NeuralError, match=r"^no 4$"):
        engine.side_by_side([partial(count_to, 4)], lambda *message: None)
