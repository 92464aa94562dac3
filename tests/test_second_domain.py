"""A second world through the same code: it is trained, grounded, exported and asked. It is found by its entry point, as
anybody's would be."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from predinet_prolog.bridge import perceiver_of
from predinet_prolog.bridge.matching import match
from predinet_prolog.domains import DomainError, domain_of, load_domain
from predinet_prolog.neural import NeuralError, load_model, training_config
from predinet_prolog.service.cli import main
from tests.dots import DOMAIN

pytestmark = pytest.mark.slow(15)
TEST_SEED = 99


@pytest.fixture(scope="module", autouse=True)
def dots(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A package on the path that names the domain."""
    site = tmp_path_factory.mktemp("site")
    package = site / "dots-1.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: dots\nVersion: 1\n")
    (package / "entry_points.txt").write_text("[predinet_prolog.domains]\ndots = tests.dots:DOMAIN\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(site)
        yield
        load_domain.cache_clear()


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Trained and grounded by the command line, on few pictures."""
    folder = tmp_path_factory.mktemp("dots")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("predinet_prolog.neural.training.TEST_IMAGES", 100)
        patch.setattr("predinet_prolog.bridge.grounding.SCENES", 200)
        assert main(["train", "alike", "--steps", "250", "--heads", "8", "--relations", "8", "-o", str(folder)]) == 0
        assert main(["ground", str(folder / "model.safetensors")]) == 0
    return folder / "model.safetensors"


def test_it_is_found_by_its_name_and_by_its_task() -> None:
    assert domain_of("alike") is load_domain("dots") is DOMAIN
    assert domain_of("between").name == "relations_game"
    with pytest.raises(DomainError, match=r"no domain chess: there are relations_game, .*dots"):
        load_domain("chess")
    with pytest.raises(DomainError, match="unknown task 'nope'; there are same, between"):
        domain_of("nope")


def test_its_objects_are_seen_where_they_are(checkpoint: Path) -> None:
    shown = DOMAIN.generate("alike", 50, seed=TEST_SEED)
    truth = shown.truth
    exact = 0
    for number, scene in enumerate(perceiver_of(load_model(checkpoint)).perceive(shown.images)):
        found = np.array([symbol.box for symbol in scene.things]).reshape(-1, 4)
        exact += len(found) == 2 == len(match(found, truth.boxes[truth.rows(number)]))
    assert exact >= 48


def test_its_pictures_become_programs(checkpoint: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = DOMAIN.generate("alike", 8, seed=TEST_SEED)
    for number, (pixels, label) in enumerate(zip(shown.images, shown.labels.tolist(), strict=True)):
        image, program = tmp_path / f"{number}.png", tmp_path / f"{number}.pl"
        Image.fromarray(pixels).resize((480, 480), Image.Resampling.NEAREST).save(image)
        assert main(["export", str(image), "--model", str(checkpoint), "-o", str(program)]) == 0
        capsys.readouterr()
        assert main(["query", str(program), "same_colour(ob_0, ob_1)"]) == 1 - label
        assert capsys.readouterr().out == ("true.\n" if label else "false.\n")
    goal = "forall(box(X, L, T, R, B), (print(X-[L,T,R,B]), nl))"
    where = subprocess.check_output(["swipl", "-g", goal, "-t", "halt", tmp_path / "0.pl"], text=True)
    boxes = shown.truth.boxes[shown.truth.rows(0)] * 10
    rows = [",".join(f"{side:.1f}" for side in box) for box in boxes.tolist()]
    assert where == "".join(f"ob_{number}-[{row}]\n" for number, row in enumerate(rows))


@pytest.mark.parametrize("recipe", ["fast", "symbols", "paper"])
def test_every_recipe_goes_by_what_the_domain_has(recipe: str) -> None:
    run = training_config(["all"], domain="dots", recipe=recipe)
    assert (run.tasks, run.objects, run.augmented) == (("alike",), "dots", False)
    assert run.centring == run.attribute_loss == 0


def test_a_task_of_another_domain_is_refused() -> None:
    with pytest.raises(DomainError, match="no task between"):
        training_config(["between"], domain="dots")
    with pytest.raises(NeuralError, match="a task is named twice"):
        training_config(["alike", "alike"], domain="dots")
