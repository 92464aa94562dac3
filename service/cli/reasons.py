"""why: the proof of an answer, or what came nearest to one."""

from pathlib import Path

import click

from predinet_prolog.service.cli.options import COUNT, DomainCommand, check_picture, output_option
from predinet_prolog.service.cli.question import Question, asks
from predinet_prolog.service.cli.sources import ASKED
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.files import write_atomically
from predinet_prolog.service.prolog_text import more_than
from predinet_prolog.service.proof_text import answer_text, steps, write_steps
from predinet_prolog.symbolic import Answers, Miss, Proof


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
    if output is not None and question.source.suffix in ASKED:
        problem = f"{question.source} is a program, without a picture to draw into"
        raise UsageError(f"{problem}: name the image, or leave out -o")
    asked, answers = question.ask(limit=limit, why=True)
    if output is not None and asked.view is not None:
        from predinet_prolog.service.pictures.proof import draw

        write_atomically(output, draw(asked.view.readable(question.source), question.goal, answers))
    drawn = "" if output is None else f"\n{output}\n"
    question.tell(asked, answers.to_json, lambda: reasons_text(answers, numbers=numbers) + drawn, answers.answers)


def reasons_text(answers: Answers, *, numbers: bool = False) -> str:
    """Every answer and its proof, or the nearest miss, with all `numbers` or in short."""
    if answers.why_not is not None:
        return f"false. What came nearest:\n{tree(answers.why_not, numbers=numbers)}"
    proved = [(answer_text(answer), answer.why) for answer in answers.answers if answer.why is not None]
    parts = [f"{text}, because\n{tree(why, numbers=numbers)}" for text, why in proved]
    return "\n".join(parts) + (more_than(len(parts)) if answers.more else "")


def tree(why: Proof | Miss, *, numbers: bool = False) -> str:
    """The lines of a proof or a miss."""
    return write_steps(steps(why, numbers=numbers), indent=1)
