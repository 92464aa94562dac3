"""The paper's experiments in docs/: folders and Parquet file say the same, and the pages are made from them."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest
from pyarrow import parquet

from predinet_prolog.experiments import take_folder
from predinet_prolog.experiments.configurations import record_path
from predinet_prolog.experiments.experiment import EXPERIMENTS

pytestmark = pytest.mark.slow(6)


@pytest.fixture
def gathering(root: Path) -> ModuleType:
    """docs/gather_reproduction.py, which is no package's."""
    spec = importlib.util.spec_from_file_location("gather_reproduction", root / "docs" / "gather_reproduction.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_is_unpacked_is_what_was_packed_and_makes_the_pages(gathering: ModuleType, tmp_path: Path) -> None:
    kept = parquet.read_table(gathering.CURVES)
    gathering.unpack(tmp_path / "reproduce")
    folders = {name: tmp_path / "reproduce" / name for name in EXPERIMENTS}
    figures, gathering.FIGURES = gathering.FIGURES, tmp_path
    gathering.CURVES = tmp_path / "curves.parquet"
    gathering.pack(folders)
    assert parquet.read_table(gathering.CURVES).equals(kept, check_metadata=True)
    page = gathering.PAGE.read_text(encoding="utf-8")
    start, end = gathering.marks("optimiser")
    section = gathering._section(EXPERIMENTS["optimiser"], folders["optimiser"])
    assert f"{section}\n" == page.partition(f"{start}\n")[2].partition(end)[0]
    assert [(figures / figure.name).exists() for figure in tmp_path.glob("*.png")] == [True]


def test_an_experiment_with_a_run_missing_is_left_for_a_bigger_machine(gathering: ModuleType, tmp_path: Path) -> None:
    experiment, folder = EXPERIMENTS["table1"], tmp_path / "table1"
    take_folder(folder, "table1", experiment.full)
    for configuration in experiment.configurations(experiment.full):
        path = record_path(folder, configuration.name)
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"last": {"hexos": [0.5] * 10}}))
    command = "predinet-prolog reproduce table1 "
    assert command not in gathering._state({"table1": folder})
    path.write_text(json.dumps({"last": {"hexos": [0.5] * 9}}))
    assert command in gathering._state({"table1": folder})


def test_a_page_keeps_what_was_written_by_hand(gathering: ModuleType, tmp_path: Path) -> None:
    results = tmp_path / "reproduce"
    gathering.unpack(results)
    kept = gathering.PAGE.read_text(encoding="utf-8")
    gathering.PAGE, gathering.CURVES = tmp_path / "reproduction.md", tmp_path / "curves.parquet"
    gathering._section = lambda experiment, folder: "new\n"
    (size, size_end), (pca, pca_end) = gathering.marks("size"), gathering.marks("pca")
    by_hand = f"by hand\n\n{size}\nold\n{size_end}\n## By hand\n\n{pca}\nold\n\n{pca_end}"
    others = "".join("\n".join(gathering.marks(name)) for name in EXPERIMENTS if name not in ("size", "pca"))
    start, end = gathering.marks(gathering.STATE)
    state = start + kept.partition(start)[2].partition(end)[0] + end
    gathering.PAGE.write_text(by_hand + others + state, encoding="utf-8")
    gathering.gather(results)
    made = gathering.PAGE.read_text(encoding="utf-8")
    # The networks of an analysis are not in the Parquet file.
    assert made.startswith(by_hand.replace(f"{size}\nold\n", f"{size}\nnew\n\n"))
    assert made.endswith(state)
