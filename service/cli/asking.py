"""query: what is so in an image."""

from pathlib import Path

import click

from predinet_prolog.lazily import lazily
from predinet_prolog.service.cli.options import COUNT, ENGINES, DomainCommand, engine_option, output_option
from predinet_prolog.service.cli.question import Question, asks
from predinet_prolog.service.cli.sources import ASKED
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.prolog_text import write_answer, write_answers

# A program is asked without them.
probability = lazily("predinet_prolog.service.probability")
rows = lazily("predinet_prolog.service.cli.rows")


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
        rows.ask_folder(question, limit, form=form, where=where, output=output, engine=engine)
        return
    if as_csv or where or output is not None or engine != ENGINES[0]:
        raise UsageError(f"--csv, --where, -o and --engine are for folders, and {question.source} is none")
    asked, answers = question.ask(most=limit)
    question.tell(asked, answers.to_json, lambda: write_answers(answers), answers.answers)


def _tell_odds(question: Question, most: int | None) -> None:
    """Tells how likely each answer is; exits with 1 if there is none."""
    if question.source.suffix in ASKED or question.source.is_dir():
        raise UsageError(f"--probability is for an image, whose scores are known, and {question.source} is none")
    asked, answers = question.put(
        lambda engine, asked, goal, rules: probability.odds(asked.view, engine, goal, rules), most=most
    )
    question.tell(
        asked,
        lambda: {"answers": [likely.to_json() for likely in answers]},
        lambda: "".join(f"{one.probability:.4f}  {write_answer(one.answer)}\n" for one in answers) or "false.\n",
        answers,
    )
