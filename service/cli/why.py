"""why: the proof of an answer, and how near a goal without answers came to one."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from service.cli.asking import tell_hints, telling_where
from service.cli.console import emit
from service.cli.options import (
    COUNT,
    PROGRAMS,
    DomainCommand,
    check_picture,
    check_source,
    clauses_option,
    goal_argument,
    json_option,
    limits,
    looks_option,
    model_option,
    open_rules,
    open_source,
    output_option,
    rules_option,
    source_argument,
    timeout_option,
)
from service.errors import UsageError

if TYPE_CHECKING:
    from service.proof_text import Step
    from symbolic import Answers, Miss, Proof


@click.command(cls=DomainCommand)
@source_argument
@goal_argument
@rules_option
@clauses_option
@click.option("--limit", type=COUNT, default=1, metavar="N", help="Most answers to prove.")
@timeout_option("Seconds for answers and proofs.")
@model_option
@looks_option
@json_option
@output_option("FILE.png", "Draw the first answer's proof beside the image, too.")
def why(
    source: Path,
    goal: str,
    rules: Sequence[str],
    clauses: Sequence[str],
    limit: int,
    timeout: float | None,
    model: str | None,
    looks: int | None,
    as_json: bool,
    output: Path | None,
) -> None:
    """Tell why a goal has an answer, or why it has none.

    Prints each answer's proof, down to the facts and their values, and how likely each step is to be true where the
    program says so; an answer's own confidence is that of its weakest step. For a goal without answers, prints what
    came nearest to one and where it failed (marked ✗), and exits with 1.

    \b
    Examples:
      predinet-prolog why scene.png 'same(X, Y)'
      predinet-prolog why scene.png 'between_label(1)' --rules THEORY -o why.png
      predinet-prolog why scene.pl 'same_row(ob_0, ob_1)'
    """
    from symbolic import Engine

    check_picture(output)
    chosen = limits(timeout)
    extra = open_rules(rules, clauses)
    check_source(source, goal, model, looks)
    if output is not None and source.suffix in PROGRAMS:
        raise UsageError(f"{source} is a program, without a picture to draw into: name the image, or leave out -o")
    with telling_where(source, goal), Engine(time_limit=chosen.time_limit) as engine:
        engine.start()  # while the image is looked at
        asked = open_source(source, model, looks)
        answers = engine.ask(asked.program, goal, rules=extra, limit=limit, why=True)
    if output is not None and asked.view is not None:
        from service.files import write_atomically
        from service.pictures.proof import draw

        write_atomically(output, draw(asked.view, goal, answers))
    tell_hints(answers)
    if as_json:
        emit(json.dumps(answers.to_json() | asked.to_json(), ensure_ascii=False) + "\n")
    else:
        emit(_text(answers))
        if output is not None:
            emit(f"\n{output}\n")
    if not answers.answers:
        raise click.exceptions.Exit(1)


def _text(answers: "Answers") -> str:
    """Every answer and its proof, or the nearest miss."""
    from service.prolog_text import more_than
    from service.proof_text import answer_text

    if answers.why_not is not None:
        return f"false. What came nearest:\n{_tree(answers.why_not)}"
    parts = [
        f"{answer_text(answer)}, because\n{_tree(answer.why)}" for answer in answers.answers if answer.why is not None
    ]
    return "\n".join(parts) + (more_than(len(parts)) if answers.more else "")


def _tree(why: "Proof | Miss") -> str:
    from service.proof_text import steps, write_steps

    lines = steps(why)
    return _coloured(lines) if sys.stdout.isatty() else write_steps(lines, indent=1)


def _coloured(lines: "list[Step]") -> str:
    """The tree for a terminal: what fails is red, remarks are dim."""
    from rich.console import Console
    from rich.text import Text
    from rich.tree import Tree

    from service.proof_text import goal_text

    root = Tree("", hide_root=True, guide_style="dim")
    branches = [root]
    for line in lines:
        mark = "" if line.holds else "bold red"
        remarks = "".join(f"  {remark}" for remark in (line.confidence, line.remark) if remark)
        label = Text.assemble((goal_text(line), mark), (remarks, "dim"))
        del branches[line.depth + 1 :]
        branches.append(branches[-1].add(label))
    console = Console()
    with console.capture() as capture:
        console.print(root)
    return capture.get()
