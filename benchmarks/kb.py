"""Many images as one knowledge base: what it costs to make, to load and to ask, in Prolog and as a table.

    python benchmarks/kb.py [--images N] [--model NAME]

Loading is measured in processes of their own, less an empty one. Each question is asked twice of swipl: the first time
SWI-Prolog makes the indexes that it needs.
"""

import subprocess
import tempfile
from pathlib import Path
from time import perf_counter

import duckdb

from benchmarks.shared import COMMAND, options, print_head, print_machine, print_row, save_boards

SEED = 7_000_003
ENDINGS = ("pl", "qlf", "parquet")
RULES = """
three(Image) :- same_colour(Image, X, Y), X @< Y, same_colour(Image, Y, Z), Y @< Z, in_line(Image, X, Y, Z).
"""
QUESTIONS = {
    "the objects of one image": "object('000007.png', X)",
    "the pairs of one image that look the same": "same('000007.png', X, Y)",
    "images with three objects of a colour in line": "distinct(Image, three(Image))",
    "all pairs that look the same": "same(Image, X, Y)",
    "all coordinates on an axis": "coordinate(Image, r3, X, C)",
}
SQL = {
    "the objects of one image": "SELECT x FROM kb WHERE predicate = 'object' AND image = '000007.png'",
    "all coordinates on an axis": "SELECT image, x, c FROM kb WHERE predicate = 'coordinate' AND r = 'r3'",
}
ASK = """
:- use_module(library(solution_sequences)).
:- use_module(library(statistics)).
ask(Goal) :-
    forall(between(1, 2, _),
           ( call_time(aggregate_all(count, Goal, Count), Time), format("~w ~4f~n", [Count, Time.wall]) )).
"""
MEMORY = 'garbage_collect_clauses, statistics(process_cputime, _), open(\'/proc/self/status\', read, S), \
read_string(S, _, T), sub_string(T, B, _, _, "VmHWM:"), !, sub_string(T, B, 60, _, L), \
split_string(L, "\\n", "", [M|_]), writeln(M)'


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--images", type=int, default=2_000)
    parser.add_argument("--model", default="relations-game")
    chosen = parser.parse_args()
    print_machine()
    with tempfile.TemporaryDirectory() as place:
        bases = make(save_boards(Path(place, "images"), chosen.images, seed=SEED), chosen.model)
        ask(bases, chosen.images)


def make(folder: Path, model: str) -> dict[str, Path]:
    """The knowledge bases by ending; prints what they cost."""
    print_head("file", "made in, s", "MB", "loaded in, s", "memory, MB")
    bases = {}
    for ending in ENDINGS:
        target = bases[ending] = folder.parent / f"images.{ending}"
        start = perf_counter()
        words = [COMMAND, "export", folder, "--kb", target, "--model", model]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        made = perf_counter() - start
        costs = ["", ""] if ending == "parquet" else "{:.2f} {:,.0f}".format(*load(target)).split()
        print_row(f".{ending}", f"{made:.1f}", f"{target.stat().st_size / 1e6:,.1f}", *costs)
    print()
    return bases


def load(*files: Path) -> tuple[float, float]:
    """Seconds that swipl takes to load the files, and the MB that it has then, both less those of an empty one."""
    empty, full = _load(), _load(*files)
    return full[0] - empty[0], full[1] - empty[1]


def _load(*files: Path) -> tuple[float, float]:
    start = perf_counter()
    output = subprocess.run(["swipl", "-g", MEMORY, "-t", "halt", *files], check=True, capture_output=True, text=True)
    return perf_counter() - start, int(output.stdout.split()[1]) / 1024


def ask(bases: dict[str, Path], images: int) -> None:
    """Prints what each question takes."""
    helper = bases["qlf"].with_name("ask.pl")
    helper.write_text(ASK + RULES)
    tables = duckdb.connect()
    tables.execute(f"CREATE VIEW kb AS FROM '{bases['parquet']}'")
    print(f"{tables.execute('SELECT count(*) FROM kb').fetchall()[0][0]:,} facts\n")
    print_head(f"of {images:,} images", "answers", "swipl at first, s", "swipl again, s", "DuckDB, s")
    for question, goal in QUESTIONS.items():
        command = ["swipl", "-g", f"ask(({goal}))", "-t", "halt", bases["qlf"], helper]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        (count, first), (_, again) = (line.split() for line in lines)
        table = ""
        if question in SQL:
            start = perf_counter()
            rows = tables.execute(SQL[question]).fetchall()
            table = f"{perf_counter() - start:.4f}"
            if len(rows) != int(count):
                raise SystemExit(f"{question}: {count} in Prolog, {len(rows)} in the table")
        print_row(question, f"{int(count):,}", first, again, table)
    tables.close()


if __name__ == "__main__":
    main()
