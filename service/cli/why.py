"""why: the proof of an answer, and how near a goal without answers came to one."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.asking import tell_hints, telling_where
from service.cli.console import emit
from service.cli.options import (
    PROGRAMS,
    ClausesOption,
    GoalArgument,
    JsonOption,
    LooksOption,
    ModelOption,
    RulesOption,
    SourceArgument,
    check_picture,
    check_source,
    limits,
    open_rules,
    open_source,
)
from service.errors import UsageError

if TYPE_CHECKING:
    from service.proof_text import Step
    from symbolic import Answers, Miss, Proof


def register(app: typer.Typer) -> None:
    """Adds the command to `app`."""
    app.command()(why)


def why(
    source: SourceArgument,
    goal: GoalArgument,
    rules: RulesOption = None,
    clauses: ClausesOption = None,
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="Most answers to prove.")] = 1,
    timeout: Annotated[
        float | None,
        typer.Option(
            metavar="S",
            help="Seconds for answers and proofs. (default: $PREDINET_PROLOG_TIME_LIMIT, else 1)",
            show_default=False,
        ),
    ] = None,
    model: ModelOption = None,
    looks: LooksOption = None,
    as_json: JsonOption = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE.png",
            help="Draw the first answer's proof beside the image, too.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Tell why a goal has an answer, or why it has none.

    Prints each answer's proof, down to the facts and their values, and how likely each step is to be true where the
    program says so; an answer's own confidence is that of its weakest step. For a goal without answers, prints what
    came nearest to one and where it failed (marked ✗), and exits with 1.

    \b
    Examples:
      predinet-prolog why scene.png 'same(X, Y)'
      predinet-prolog why scene.png 'between_label(1)' --rules relations_game -o why.png
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
        raise typer.Exit(1)


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
