"""The paper's experiments in docs/: folders and Parquet file say the same, and the pages are made from them."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest
from pyarrow import parquet

from predinet_prolog.experiments.experiment import EXPERIMENTS

pytestmark = pytest.mark.slow(6)


@pytest.fixture
def gathering(root: Path) -> ModuleType:
    """docs/gather_reproduction.py, which is no package's."""
    spec = importlib.util.spec_from_file_location("gather_reproduction", root / "docs" / "gather_reproduction.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_is_unpacked_is_what_was_packed_and_makes_the_pages(gathering: ModuleType, tmp_path: Path) -> None:
    kept = parquet.read_table(gathering.CURVES)
    gathering.unpack(tmp_path / "reproduce")
    folders = {name: tmp_path / "reproduce" / name for name in EXPERIMENTS}
    figures, gathering.FIGURES = gathering.FIGURES, tmp_path
    copy = tmp_path / "curves.parquet"
    copy.write_bytes(gathering.CURVES.read_bytes())
    gathering.CURVES = copy
    gathering.pack(folders)
    packed = parquet.read_table(copy)
    order = [(name, "ascending") for name in ("experiment", "cell", "objects", "run", "step")]
    assert packed.sort_by(order).equals(kept.sort_by(order))
    ours, theirs = (json.loads(own.schema.metadata[gathering.METADATA]) for own in (packed, kept))
    assert ours == theirs
    page = gathering.PAGE.read_text(encoding="utf-8")
    start, end = gathering.marks("table1")
    section = gathering._section(EXPERIMENTS["table1"], folders["table1"])
    assert f"{section}\n" == page.partition(f"{start}\n")[2].partition(end)[0]
    assert [(figures / figure.name).exists() for figure in tmp_path.glob("*.png")] == [True]
