"""The analyses over tiny networks: data, figures and a page of each."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from predinet_prolog.experiments import PAPER, ablation, attention, pca, take_folder
from predinet_prolog.experiments.experiment import EXPERIMENTS
from predinet_prolog.experiments.tables import read_table

pytestmark = pytest.mark.slow(8)


@pytest.mark.parametrize(
    ("name", "rows", "claims", "pictures"),
    [
        ("attention", {"heads.csv": 3 * 2 * 2 * 3}, 8, 4),  # tasks, sets, runs, heads
        # Architectures, runs, the whole and three heads; architectures, sets, the whole and three heads, points.
        ("pca", {"clusters.csv": 2 * 2 * 4, "points.csv": 2 * 2 * 4 * 40}, 6, 5),
        ("ablation", {"ablation.csv": 2 * (4 + 4 + 4 + 4 + 3 + 1)}, 2, 1),  # sets; sizes of both runs of every line
    ],
)
def test_an_analysis_writes_data_figures_and_a_page(
    finish_cells: Callable[..., None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    rows: dict[str, int],
    claims: int,
    pictures: int,
) -> None:
    monkeypatch.setattr(attention, "CONTENT_IMAGES", 40)
    for module, constants in ((pca, {"IMAGES": 160, "DRAWN": 40}), (ablation, {"IMAGES": 50, "SUBSETS": 4})):
        for constant, value in constants.items():
            monkeypatch.setattr(module, constant, value)
    chosen = iter([[True, False, True], [False] * 3])  # heads that attend to objects, in each run
    monkeypatch.setattr(ablation, "object_heads", lambda network: np.array(next(chosen)))
    experiment, plan = EXPERIMENTS[name], replace(PAPER, runs=2)
    take_folder(tmp_path, name, plan)
    half_way = experiment.write(tmp_path)
    assert "not all trained yet" in half_way
    assert "not trained yet" in half_way

    finish_cells(tmp_path, experiment.configurations(plan), plan.runs)
    experiment.run(plan, tmp_path, lambda done, total, text: None)
    for file, count in rows.items():
        assert {len(column) for column in read_table(tmp_path / file).values()} == {count}
    page = experiment.write(tmp_path)
    assert sum(page.count(verdict) for verdict in ("**yes**", "**no**", "not known yet")) == claims
    assert "**Not learnt**, in some run at least: PrediNet on `" in page
    shown = [line.split("](")[1].rstrip(")") for line in page.splitlines() if line.startswith("![")]
    assert len(shown) == pictures
    for picture in shown:
        with Image.open(tmp_path / picture) as image:
            assert len(image.convert("L").getcolors() or []) > 10, f"{picture} is empty"
    assert experiment.write(tmp_path) == page, "from the same data the same page"
