"""Programs as text become what SWI-Prolog loads fast, and text again."""

from pathlib import Path

from predinet_prolog.symbolic.errors import WorkerError
from predinet_prolog.symbolic.swipl import run_swipl

_COMPILED_A_SECOND = 50_000  # bytes of text, on a slow machine that is busy
# Writes the clauses of the file's predicates, in the order of their lines.
_DECOMPILE = """
    current_prolog_flag(argv, [File]), findall(S, source_file(S), Before),
    load_files(user:File, [silent(true)]),
    findall(Line-Head,
            ( source_file(user:Head, S), \\+ memberchk(S, Before), predicate_property(user:Head, line_count(Line)) ),
            Heads0),
    keysort(Heads0, Heads), set_stream(user_output, encoding(utf8)),
    forall(( member(_-Head, Heads), clause(user:Head, Body) ),
           ( ( Body == true -> Clause = Head ; Clause = (Head :- Body) ), numbervars(Clause, 0, _),
             write_term(Clause, [quoted(true), numbervars(true), fullstop(true), nl(true)]) ))
"""


def compile_program(path: Path) -> Path:
    """Compiles the program at `path`, PROGRAM.pl, to PROGRAM.qlf beside it, which is also what is returned.

    Only the version of SWI-Prolog that made such a file is sure to load it. Raises WorkerError if the program has
    errors or warnings, and SwiPrologMissingError.
    """
    goal = "current_prolog_flag(argv, [File]), qcompile(File)"
    options = ["--on-error=halt", "--on-warning=halt"]
    seconds = 60 + path.stat().st_size / _COMPILED_A_SECOND
    run = run_swipl(*options, "-g", goal, "-t", "halt", "--", path, seconds=seconds)
    compiled = path.with_suffix(".qlf")
    if run.returncode or not compiled.is_file():
        raise WorkerError(f"{path} cannot be compiled: {run.stderr.strip()}")
    return compiled


def decompile(path: Path) -> str:
    """The clauses of the compiled program at `path`, PROGRAM.qlf, as text; comments and names of variables are lost.

    The file is loaded as `swipl PROGRAM.qlf` loads it: a directive in it runs, with the user's own rights. Raises
    WorkerError if this version of SWI-Prolog cannot load it, and SwiPrologMissingError.
    """
    run = run_swipl("--on-error=halt", "-g", _DECOMPILE, "-t", "halt", "--", path)
    if run.returncode or run.stderr:
        said = run.stderr.strip().splitlines() or [f"it ended with status {run.returncode}"]
        raise WorkerError(f"{path} cannot be loaded by the swipl installed: {said[-1].strip()}")
    return run.stdout
