"""Whether a table answers as SWI-Prolog does: every named relation, its confidence, and the label of each task.

    python -m benchmarks.tables [--images N]

SWI-Prolog is asked the program of every image; DuckDB is asked the table of each task's images, a Parquet file.
"""

import subprocess
import tempfile
from pathlib import Path

import duckdb

from benchmarks.shared import COMMAND, GAME, options, print_head, print_machine, print_row
from predinet_prolog.bridge.program import rules_of
from predinet_prolog.bridge.relations import Relation, relations
from predinet_prolog.bridge.writers.parquet import ARGUMENTS
from predinet_prolog.domains.image_files import image_names
from predinet_prolog.service.folders import Pictures, Summary, open_model, views
from predinet_prolog.service.store.folder import Export
from predinet_prolog.service.store.knowledge_base import export_knowledge_base
from predinet_prolog.symbolic import Engine, theory

Rows = dict[tuple[str, ...], float | None]
"""By image, predicate and arguments (x, y, z, word), the confidence of those that have one."""
SEED = 7_000_019
KIND = "hexos"
ANY_SIZE = "scenes"
"""A domain and the model of its pictures, which have no tasks."""
SECONDS = 60.0
MOST = 10**6
VIEWS = """
CREATE VIEW relations AS
SELECT image, predicate, x, y, z, value, confidence FROM kb WHERE y IS NOT NULL OR value IS NOT NULL;
CREATE VIEW objects AS SELECT image, x FROM kb WHERE predicate = 'object';
CREATE VIEW same AS SELECT image, x, y FROM relations WHERE predicate = 'same';
CREATE VIEW above AS SELECT image, x, y FROM relations WHERE predicate = 'above';
CREATE VIEW topmost AS SELECT image, x FROM objects o WHERE NOT EXISTS
  (FROM objects p WHERE p.image = o.image AND p.x <> o.x AND (o.image, o.x, p.x) NOT IN (FROM above));
CREATE VIEW next_to AS SELECT l.image, l.x, l.y FROM relations l JOIN relations r USING (image, x, y)
WHERE l.predicate = 'left_of' AND r.predicate = 'same_row';
CREATE VIEW rows_of_three AS SELECT l.image, l.x AS a, l.y AS b, r.y AS c, CASE
  WHEN ab.x IS NOT NULL AND bc.x IS NOT NULL THEN 'aaa' WHEN ab.x IS NOT NULL THEN 'aab'
  WHEN bc.x IS NOT NULL THEN 'abb' WHEN ac.x IS NOT NULL THEN 'aba' ELSE 'abc' END AS pattern
FROM next_to l JOIN next_to r ON l.image = r.image AND l.y = r.x
LEFT JOIN same ab ON ab.image = l.image AND ab.x = l.x AND ab.y = l.y
LEFT JOIN same bc ON bc.image = l.image AND bc.x = r.x AND bc.y = r.y
LEFT JOIN same ac ON ac.image = l.image AND ac.x = l.x AND ac.y = r.y;
"""
TRUE_OF = {
    "same": "SELECT image FROM same",
    "between": """SELECT l.image FROM relations l JOIN same s ON l.image = s.image AND l.x = s.x AND l.z = s.y
        WHERE l.predicate = 'lies_between'""",
    "occurs": "SELECT image FROM topmost JOIN same USING (image, x)",
    "xoccurs": """SELECT t.image FROM topmost t JOIN same s USING (image, x)
        WHERE NOT EXISTS (FROM same o WHERE o.image = t.image AND o.x <> t.x AND o.y <> t.x)
        GROUP BY t.image, t.x HAVING count(*) = 1""",
    "match_rows": """SELECT u.image FROM rows_of_three u JOIN rows_of_three l USING (image, pattern)
        JOIN above a ON a.image = u.image AND a.x = u.a AND a.y = l.a""",
    "scatter": "SELECT image FROM same",
}
"""In which images each task's label is 1, in SQL."""


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--images", type=int, default=200, help="of each task")
    chosen = parser.parse_args()
    print_machine()
    names = ("task", "images", "rows", "of them unlike", "confidences differ by at most", "labels", "of them unlike")
    print_head(*names)
    with Engine(time_limit=SECONDS, answer_limit=MOST) as engine:
        for name in (*TRUE_OF, ANY_SIZE):
            with tempfile.TemporaryDirectory() as place:
                subprocess.run(
                    [COMMAND, "generate", name, "-n", f"{chosen.images}", "--seed", f"{SEED}", "-o", f"{place}/images"]
                    + (["--objects", KIND] if name in TRUE_OF else []),
                    check=True,
                    stdout=subprocess.DEVNULL,
                )
                print_row(name, chosen.images, *compare(engine, Path(place, "images"), name))


def compare(engine: Engine, folder: Path, name: str) -> tuple[int, int, float, int, int]:
    """Rows in the table or among Prolog's answers, and those in but one of them; the greatest difference between two
    confidences; the labels, and those that differ. `name` is that of a task or of a domain."""
    pictures = Pictures(folder, ANY_SIZE if name == ANY_SIZE else "relations-game")
    export = Export(pictures, folder.parent / "images.parquet")
    for _ in export_knowledge_base(export, total=len(list(image_names(folder)))):
        pass
    model = open_model(pictures.model)
    named = relations(rules_of(model))
    rows, true = in_duckdb(export.target, [relation.name for relation in named], TRUE_OF.get(name))
    asked: Rows = {}
    labels = unlike = 0
    for image, view in views(pictures, tuple(image_names(folder)), Summary()):
        asked |= {(image, *row): confidence for row, confidence in in_prolog(engine, view.text, named).items()}
        if name in TRUE_OF:
            answers = engine.ask(view.text, f"{name}_label(L)", rules=[theory(GAME.theory)]).answers
            labels, unlike = labels + 1, unlike + (answers[0].bindings["L"] != (image in true))
    both = [(asked[row], rows[row]) for row in asked.keys() & rows.keys()]
    assert all((one is None) == (other is None) for one, other in both)
    apart = max((abs(one - other) for one, other in both if one is not None and other is not None), default=0.0)
    return len(asked | rows), len(asked.keys() ^ rows.keys()), apart, labels, unlike


def in_duckdb(table: Path, names: list[str], true_of: str | None) -> tuple[Rows, set[str]]:
    """The table's relations of these names, and the images that the label is 1 of."""
    with duckdb.connect() as connection:
        connection.execute(f"CREATE VIEW kb AS FROM '{table}'; {VIEWS}")
        rows = connection.execute("FROM relations WHERE predicate IN ?", [names]).fetchall()
        true = connection.execute(true_of).fetchall() if true_of else []
    return {tuple(v for v in row[:-1] if v is not None): row[-1] for row in rows}, {image for (image,) in true}


def in_prolog(engine: Engine, program: str, named: tuple[Relation, ...]) -> Rows:
    """What SWI-Prolog answers of an image's program, without the image."""
    rows: Rows = {}
    for relation in named:
        goal = f"{relation.name}({', '.join(relation.columns).upper()})"
        goal = f"{goal}, confidence({goal}, P)" if relation.has_confidence else goal
        answers = engine.ask(program, goal, limit=MOST)
        assert not answers.more
        for answer in answers.answers:
            columns = sorted(relation.columns, key=ARGUMENTS.index)
            row = (relation.name, *(str(answer.bindings[column.upper()]) for column in columns))
            probability = answer.bindings.get("P")
            rows[row] = float(probability) if isinstance(probability, int | float) else None
    return rows


if __name__ == "__main__":
    main()
