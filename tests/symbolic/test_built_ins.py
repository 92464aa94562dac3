"""The table of built-ins: its document, and what library(sandbox) thinks of it."""

from pathlib import Path

import pytest

from predinet_prolog import symbolic
from predinet_prolog.symbolic import Engine, ForbiddenError
from predinet_prolog.symbolic.built_ins import built_ins
from predinet_prolog.symbolic.swipl import run_swipl
from tests.cases import cases

CASES = cases(__file__)

TABLE = Path(symbolic.__file__).parent / "allowed.pl"

# What library(sandbox) of SWI-Prolog 9.0.4 refuses and the table allows, and why.
MORE_GENEROUS = {r"\=@=/2": "the library forgot it: =@=/2 is declared safe, and this is its negation"}

# A goal of each predicate of the table, closures and goals filled in by harmless ones, is shown to safe_goal/1.
ASK_SANDBOX = CASES["sandbox"]
HARMLESS = "\n".join(f"harmless({', '.join('_' * n)})." for n in range(1, 8))


def test_a_refusal_names_the_document_and_every_group(engine: Engine) -> None:
    with pytest.raises(ForbiddenError, match=r"^shell/1 is not allowed: .*docs/built-ins\.md") as caught:
        engine.ask("", "shell(ls)")
    assert ", ".join(group.name for group in built_ins()) in str(caught.value)


def test_the_table_is_no_more_generous_than_the_sandbox_of_the_library(tmp_path: Path) -> None:
    harmless = tmp_path / "harmless.pl"
    harmless.write_text(HARMLESS)
    run = run_swipl("-g", ASK_SANDBOX.format(table=TABLE), "-t", "halt", harmless)
    assert (run.returncode, run.stderr) == (0, "")
    assert set(run.stdout.split()) == set(MORE_GENEROUS)
