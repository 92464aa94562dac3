"""query, why, show: what is in an image, and why."""

from pathlib import Path

import click

from predinet_prolog.service.cli.console import emit
from predinet_prolog.service.cli.options import (
    ASKED,
    COUNT,
    ENGINES,
    FILE,
    DomainCommand,
    Source,
    check_picture,
    engine_option,
    looks_option,
    open_view,
    output_option,
    suiting_model_option,
)
from predinet_prolog.service.cli.question import Question, asks, emit_json
from predinet_prolog.service.cli.things import Things, things_options
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.files import write_atomically
from predinet_prolog.service.prolog_text import more_than, write_answer, write_answers
from predinet_prolog.symbolic import Answers, Engine, Miss, Proof, Rules


@click.command(cls=DomainCommand)
@asks("Seconds the query may take.")
@click.option(
    "--limit", type=COUNT, metavar="N", help="Most answers. (default: $PREDINET_PROLOG_ANSWER_LIMIT, else 1000)"
)
@click.option("--csv", "as_csv", is_flag=True, help="Of a folder: a table, a column for each variable.")
@click.option("--where", is_flag=True, help="Of a folder: only the pictures where the goal holds.")
@click.option("--probability", is_flag=True, help="Of an image: how likely each answer is, by what is unsure in it.")
@output_option("FILE", "Of a folder: write the rows there; interrupted, the same command goes on.")
@engine_option
def query(
    question: Question,
    limit: int | None,
    as_csv: bool,
    where: bool,
    probability: bool,
    output: Path | None,
    engine: str,
) -> None:
    """Ask a question about an image, or about a program or knowledge base made by export; or about each of a folder.

    Prints every answer as Prolog does. Exits with 1 if there is none.

    Of a folder, every image in it and in the folders in it has a row: its path, and its answers. All processors look.
    A picture that cannot be used has its error there, and the exit status is 4 then; --json prints a line of JSON for
    each. A folder without images may be one of programs.

    The image may be any picture: one that shows a board is seen by the model of boards, another by the model of
    pictures of any size, where --boxes can say where its things are.

    Of a knowledge base, the image is the first argument; one in .parquet has facts and relations, and no rules.

    A .qlf file is compiled code, which may do anything while it loads: ask only those you trust.

    \b
    Examples:
      predinet-prolog query holiday.jpg 'same_shape(X, Y)'
      predinet-prolog query scene.png 'holds(R, V, X, Y), small(V)' --limit 5
      predinet-prolog query scene.pl 'twins(X, Y)' --rules THEORY
      predinet-prolog query pictures.parquet 'same(Image, X, Y)'
      predinet-prolog query pictures/ 'nice(X)' --rules nice.pl --where
    """
    if probability:
        _tell_odds(question, limit)
        return
    if question.source.is_dir():
        form = "csv" if as_csv else "json" if question.as_json else "text"
        from predinet_prolog.service.cli.rows import ask_folder

        ask_folder(question, limit, form=form, where=where, output=output, engine=engine)
        return
    if as_csv or where or output is not None or engine != ENGINES[0]:
        raise UsageError(f"--csv, --where, -o and --engine are for folders, and {question.source} is none")
    asked, answers = question.ask(most=limit)
    if question.as_json:
        emit_json(asked, answers.to_json())
    else:
        emit(write_answers([(a.bindings, a.constraints) for a in answers.answers], more=answers.more))
    if not answers.answers:
        raise click.exceptions.Exit(1)


def _tell_odds(question: Question, most: int | None) -> None:
    """Tells how likely each answer is; exits with 1 if there is none."""
    from predinet_prolog.service.probability import Odds, odds

    if question.source.suffix in ASKED or question.source.is_dir():
        raise UsageError(f"--probability is for an image, whose scores are known, and {question.source} is none")

    def ask(engine: "Engine", asked: Source, goal: str, rules: "list[Rules]") -> Odds:
        assert asked.view is not None, "it is an image"
        return odds(asked.view, engine, goal, rules)

    asked, likely = question.put(ask, most=most)
    if question.as_json:
        emit_json(asked, likely.to_json())
    else:
        lines = [f"{row.probability:.4f}  {write_answer(row.bindings, ())}\n" for row in likely.answers]
        emit("".join(lines) or "false.\n")
    if not likely.answers:
        raise click.exceptions.Exit(1)


@click.command(cls=DomainCommand)
@asks("Seconds for answers and proofs.")
@click.option("--limit", type=COUNT, default=1, metavar="N", help="Most answers to prove.")
@click.option("--numbers", is_flag=True, help="Compare axis by axis, where a line sums up many axes.")
@output_option("FILE.png", "Draw the first answer's proof beside the image, too.")
def why(question: Question, limit: int, numbers: bool, output: Path | None) -> None:
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
    check_picture(output)
    asked, answers = question.ask(limit=limit, why=True, output=output)
    if output is not None and asked.view is not None:
        from predinet_prolog.service.pictures.proof import draw
        from predinet_prolog.service.pipeline import readable

        view = readable(asked.view, question.source)
        write_atomically(output, draw(view, question.goal, answers))
    if question.as_json:
        emit_json(asked, answers.to_json())
    else:
        emit(reasons_text(answers, numbers=numbers))
        if output is not None:
            emit(f"\n{output}\n")
    if not answers.answers:
        raise click.exceptions.Exit(1)


@click.command()
@click.argument("image", type=FILE, metavar="IMAGE", help="An image file.")
@output_option("FILE.png", "Where to write. (default: the image's name with -seen.png, here)")
@suiting_model_option
@looks_option
@things_options
def show(image: Path, output: Path | None, model: str | None, looks: int | None, things: Things) -> None:
    """Draw what the network sees: the objects, named, and where its heads look if it has heads.

    \b
    Examples:
      predinet-prolog show scene.png -o slide.png
      predinet-prolog show holiday.jpg
      predinet-prolog show scene.png --model between-small
    """
    from predinet_prolog.service.pictures.scene import draw
    from predinet_prolog.service.pipeline import readable

    check_picture(output)
    view = open_view(image, model, looks, things, pixels=things.look)
    target = output or Path(f"{image.stem}-seen.png")
    write_atomically(target, draw(readable(view, image)))
    emit(f"{target}\n")


def reasons_text(answers: "Answers", *, numbers: bool = False) -> str:
    """Every answer and its proof, or the nearest miss, with all `numbers` or in short."""
    from predinet_prolog.service.proof_text import answer_text  # a query need not wait for it

    if answers.why_not is not None:
        return f"false. What came nearest:\n{tree(answers.why_not, numbers=numbers)}"
    parts = [
        f"{answer_text(answer)}, because\n{tree(answer.why, numbers=numbers)}"
        for answer in answers.answers
        if answer.why is not None
    ]
    return "\n".join(parts) + (more_than(len(parts)) if answers.more else "")


def tree(why: "Proof | Miss", *, numbers: bool = False) -> str:
    """The lines of a proof or a miss."""
    from predinet_prolog.service.proof_text import steps, write_steps

    return write_steps(steps(why, numbers=numbers), indent=1)
