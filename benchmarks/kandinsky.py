"""Kandinsky patterns from pixels: a rule is learned from a few labelled figures, and judged on fresh ones.

    python benchmarks/kandinsky.py [--n N] [--lessons N] [--patterns NAME …] [--json FILE] [--wrong FILE.png]

Half of all figures are true of the pattern, and half of the others are all but true. `scenes` sees them, which is not
trained on any; on FIGURES figures of no pattern it is grounded, so that programs have words for shapes.
"""

import json
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.shared import options, print_head, print_row
from benchmarks.sort_of_clevr import grounded, sheet
from domains.annotations import write_folder
from domains.kandinsky.domain import DOMAIN
from experiments.folder_evaluation import GlimpseSeer, evaluate_folder
from neural.glimpses.model import GlimpseModel, load_any
from service.cli import main as predinet_prolog
from symbolic import Rules

WORD_SEED, LESSON_SEED, SEED, FIGURES = 21, 22, 9_900_001, 100
"""Of the figures that teach words, rules, and those that judge."""
SHOWN = 6
"""Figures in a row."""


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--n", type=int, default=1000, help="figures that judge a pattern (default: 1000)")
    parser.add_argument("--lessons", type=int, default=40, help="figures that teach it (default: 40)")
    patterns = [name for name in DOMAIN.tasks if name != DOMAIN.free_task]
    parser.add_argument("--patterns", nargs="+", choices=patterns, default=patterns, help="some of them")
    parser.add_argument("--json", type=Path, help="write everything measured to this file")
    parser.add_argument(
        "--wrong", type=Path, metavar="FILE.png", help=f"draw {SHOWN} wrongly told figures of each pattern"
    )
    given = parser.parse_args()
    results: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        model = grounded(load_any("scenes").path, Path(folder), DOMAIN, FIGURES, WORD_SEED)
        for name in given.patterns:
            results[name] = measured(model, name, given.lessons, given.n, Path(folder))
            if given.json:
                given.json.write_text(json.dumps(results, indent=1) + "\n")
    if given.wrong:
        shown = [
            figure
            for name, result in results.items()
            for figure in DOMAIN.generate(name, given.n, seed=SEED).images[result["wrong"][:SHOWN]]
        ]
        sheet(shown, columns=SHOWN, scale=1).save(given.wrong)
    print_head("pattern", "exact scenes", "accuracy", "rules")
    for name, result in results.items():
        print_row(name, result["exact_scenes"], result["accuracy"], f"`{' '.join(result['rules'])}`")


def measured(model: GlimpseModel, name: str, lessons: int, n: int, folder: Path) -> dict[str, Any]:
    """What is learned of the pattern, and how well it does."""
    write_folder(folder / name, DOMAIN.generate_annotated(lessons, seed=LESSON_SEED, task=name))
    rules = folder / f"{name}.pl"
    assert predinet_prolog(["learn", str(folder / name), "--model", str(model.path), "-o", str(rules)]) == 0
    text = rules.read_text()
    fresh = DOMAIN.generate_annotated(n, seed=SEED, task=name)
    found = evaluate_folder(GlimpseSeer(model), fresh, goal="label(L)", rules=[Rules(name, text)], time_limit=20)
    assert found.answers is not None, "there is a goal"
    kept = ("n", "accuracy", "exact_scenes", "confusion")
    told = found.to_json()
    return {
        "lessons": lessons,
        **{key: told[key] for key in kept},
        "wrong": [each.number for each in found.answers.outcomes if not each.right],
        "rules": [line for line in text.splitlines() if line and not line.startswith("%")],
    }


if __name__ == "__main__":
    main()
