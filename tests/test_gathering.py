"""The paper's experiments in docs/: folders and Parquet file say the same, and the pages are made from them."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest
from pyarrow import parquet

from experiments import take_folder
from experiments.configurations import record_path
from experiments.experiment import EXPERIMENTS

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
    pages, gathering.PAGES = gathering.PAGES, tmp_path
    gathering.CURVES = tmp_path / "curves.parquet"
    gathering.pack(folders)
    assert parquet.read_table(gathering.CURVES).equals(kept, check_metadata=True)
    page = (pages / "optimiser.md").read_text(encoding="utf-8")
    assert gathering._page(EXPERIMENTS["optimiser"], folders["optimiser"]) == page.partition(gathering.MARK + "\n")[2]
    assert [(pages / figure.name).exists() for figure in tmp_path.glob("*.png")] == [True]


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
    pages = gathering.PAGES
    gathering.DOCS, gathering.PAGES, gathering.CURVES = tmp_path, tmp_path, tmp_path / "curves.parquet"
    gathering._page = lambda experiment, folder: "new\n"
    for name in EXPERIMENTS:
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\nby hand\n\n{gathering.MARK}\nold\n")
    (tmp_path / "reproduction.md").write_text((pages.parent / "reproduction.md").read_text(encoding="utf-8"))
    gathering.gather(results)
    assert (tmp_path / "size.md").read_text() == f"# size\n\nby hand\n\n{gathering.MARK}\nnew\n"
    analysis = (tmp_path / "pca.md").read_text()  # its networks are not in the Parquet file
    assert analysis.endswith("\nold\n")
    made = (tmp_path / "reproduction.md").read_text(encoding="utf-8")
    assert made == (pages.parent / "reproduction.md").read_text(encoding="utf-8")
