"""How likely answers are: worlds are weighed exactly, and ProbLog says the same."""

import json
import shutil
from pathlib import Path

import pytest

from predinet_prolog.service import probability
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.pipeline import View, look
from predinet_prolog.service.probability import odds
from predinet_prolog.symbolic import Engine, Rules

HELMETS = Path(__file__).parents[2] / "examples" / "helmets"
PICTURE = HELMETS / "pictures" / "04.png"
RULES = Rules("bare", "bare(X) :- category(X, person), \\+ overlaps_a(X, helmet).")


def seen(tmp_path: Path, *rows: tuple[int, list[int], float]) -> View:
    told = [{"file_name": "04.png", "category_id": key, "bbox": box, "score": score} for key, box, score in rows]
    (tmp_path / "found.json").write_text(json.dumps(told))
    shutil.copy(HELMETS / "data.yaml", tmp_path)
    return look(PICTURE, detections=tmp_path / "found.json", pixels=False)


def shares(view: View, goal: str, **options: object) -> dict[str, float]:
    with Engine() as engine:
        answers = odds(view, engine, goal, [RULES])
    return {" ".join(map(str, likely.answer.bindings.values())): likely.probability for likely in answers}


def test_worlds_are_weighed_by_the_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a helmet on a head, and of one that might be; what is certain is in every world."""
    view = seen(tmp_path, (0, [10, 20, 30, 60], 0.9), (1, [12, 16, 20, 20], 0.8), (0, [80, 20, 30, 60], 1.0))
    assert shares(view, "bare(X)") == pytest.approx({"ob_2": 1, "ob_1": 0.9 * 0.2})
    assert shares(view, "\\+ bare(ob_1)") == pytest.approx({"": 1 - 0.9 * 0.2})
    assert (shares(view, "category(X, persn)"), "did you mean person?\n" in capsys.readouterr().err) == ({}, True)


def test_problog_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    view = look(PICTURE, detections=HELMETS / "predictions.json", pixels=False)
    exact = shares(view, "bare(X), category(Y, helmet)")
    monkeypatch.setattr(probability, "MOST", 0)
    assert len(exact) > 4
    assert shares(view, "bare(X), category(Y, helmet)") == pytest.approx(exact, abs=1e-3)


def test_beyond_what_is_worked_out_here_problog_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    view = seen(tmp_path, *((0, [10 * n, 20, 9, 60], 0.9) for n in range(13)))
    monkeypatch.setattr(probability, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match="more than 12 things are in doubt, or pixels were looked at"):
        shares(view, "bare(X)")
