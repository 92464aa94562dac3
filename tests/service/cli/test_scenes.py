"""`train DOMAIN`, of a domain whose pictures have any size: what it asks for and what it says."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from predinet_prolog.domains.domain import Domain
from predinet_prolog.neural.glimpses import training
from predinet_prolog.neural.glimpses.training import GlimpseTraining
from tests.service.helpers import Run


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, GlimpseTraining, Path]]:
    """What was asked of a stand-in for training, which takes a moment."""
    asked: list[tuple[str, GlimpseTraining, Path]] = []

    def train_glimpses(
        domain: Domain, config: GlimpseTraining, folder: Path, *, report: Callable[..., None]
    ) -> SimpleNamespace:
        asked.append((domain.name, config, folder))
        report(0, 2000, "12 of 24 pictures drawn")
        report(1000, 2000, "finder 0.5")
        if config.seed == 7:
            (folder / "unfinished").mkdir(parents=True)
            raise KeyboardInterrupt
        return SimpleNamespace(path=folder / "model.safetensors", sha256="7" * 64)

    monkeypatch.setattr(training, "train_glimpses", train_glimpses)
    return asked


def test_a_domain_is_trained_on_its_own_pictures(run: Run, asked: list[tuple[str, GlimpseTraining, Path]]) -> None:
    status, out, err = run("train", "scenes")
    assert (status, out) == (0, f"out/scenes/model.safetensors  (sha256 {'7' * 64})\n")
    assert err.splitlines() == [
        "predinet-prolog: seed 0: 1000 of 2000 steps, finder 0.5",
        "predinet-prolog: now let it name what it sees: predinet-prolog ground out/scenes/model.safetensors",
    ]
    assert run("train", "scenes", "--seed", 3, "--seeds", 2, "--steps", 90, "-o", "two").status == 0
    assert "the same command goes on from out/scenes" in run("train", "scenes", "--seed", 7).err
    assert asked[0] == ("scenes", GlimpseTraining(seed=0), Path("out/scenes"))
    assert [(config.seed, folder) for _, config, folder in asked[1:3]] == [
        (3, Path("two/seed-3")),
        (4, Path("two/seed-4")),
    ]
    assert {(config.finder_steps, config.comparator_steps) for _, config, _ in asked[1:3]} == {(90, 73)}
