"""Fixtures that every test folder shares."""

import difflib
import gc
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parent.parent
pytest_plugins = ["tests.margins"]
# One thread, here and in the processes that tests start: on small tensors several threads wait for each other longer
# than they compute. It counts only if it is said before numpy and torch are loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Who starts the suite in a shell's background ignores Ctrl-C, and so would the processes that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


# A busy machine is no fault, and a service or a folder that examples share is meant to be shared.
settings.register_profile(
    "shared", deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
settings.load_profile("shared")


def pytest_addoption(parser: pytest.Parser) -> None:
    """--renew: golden files become what the code writes now, to be looked at with git diff."""
    parser.addoption("--renew", action="store_true", help="write golden files anew")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, Path], None]:
    """Compares a text with a golden file, and says which lines differ."""

    def compare(text: str, path: Path) -> None:
        if request.config.getoption("--renew"):
            path.write_text(text, encoding="utf-8")
        lines = difflib.unified_diff(path.read_text(encoding="utf-8").splitlines(), text.splitlines(), path.name, "now")
        if difference := "\n".join(lines):
            pytest.fail(f"{difference}\nif that is meant: pytest --renew", pytrace=False)

    return compare


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Quick files first: what is red is told soon. Of the slow ones the slowest first, so that workers end together."""

    def order(item: pytest.Item) -> float:
        slow = item.get_closest_marker("slow")
        return -float(slow.args[0]) if slow else float("-inf")

    items.sort(key=order)


def pytest_collection_finish() -> None:
    """What was loaded stays: the garbage collector need not look through it again and again."""
    gc.freeze()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Tells at once what failed: with several workers pytest itself does so at the very end."""
    if report.failed and "PYTEST_XDIST_WORKER" not in os.environ:
        print(f"\nFAILED {report.nodeid}\n{report.longreprtext}", flush=True)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """What runs coroutines, in one event loop for all tests."""
    return "asyncio"


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's root folder."""
    return ROOT


@pytest.fixture(scope="session")
def public_data() -> Callable[[str], Path]:
    """Finds an original Relations Game file by name, or skips the test and says why."""
    named = os.environ.get("RELATIONS_GAME_DATA")
    folder = Path(named) if named else ROOT.parent / "shared" / "data" / "relations_game"

    def find(name: str) -> Path:
        path = folder / name
        if not path.is_file():
            pytest.skip(f"no {name}: set RELATIONS_GAME_DATA to the folder of the original files")
        return path

    return find


@pytest.fixture(scope="session")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint of random weights: what it sees makes no sense, but always the same. Its heads attend to single
    windows, as trained ones do: it finds objects."""
    # Most test files need no PyTorch.
    import torch

    from predinet_prolog.neural import NetworkConfig, RelationsNetwork, load_model, save_model, training_config

    path = tmp_path_factory.mktemp("model") / "tiny.safetensors"
    random = torch.Generator().manual_seed(11)
    network = RelationsNetwork(NetworkConfig(heads=7, relations=3, filters=5), generator=random)
    network.predinet.W_K.data.mul_(100)
    save_model(path, network, training_config(["between"], steps=1), {"hexos": {"between": 0.5}})
    assert load_model(path).graph, "made with PyTorch, once for all tests"
    return path
