"""ask: a question in English about an image or a program."""

from contextlib import suppress

import click

from predinet_prolog.service.cli.question import Question, asks
from predinet_prolog.service.cli.reasons import reasons_text
from predinet_prolog.service.cli.sources import Source
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.theories import english_rules
from predinet_prolog.symbolic import Engine, Replied, Rules, SymbolicError, UnknownPredicateError
from predinet_prolog.symbolic.english import only


@click.command()
@asks(
    "Seconds that the question may take.",
    goal=click.argument("goal", metavar="QUESTION", help="A question in English, in quotes."),
)
@click.option("--why", is_flag=True, help="Print the proof of the answer, too.")
def ask(question: Question, why: bool) -> None:
    """Ask a question in English about an image, or about a program made by export; a knowledge base is for `query`.

    Prints the goal that the question means, which `query` takes as well, and the answer. The words are those that the
    program has for its things, and English for what it says of them. What is no question that can be read is refused,
    never guessed; so is one that speaks of "the red cube" where there is none, or where there are two.

    \b
    Examples:
      predinet-prolog ask holiday.jpg 'Which things are left of a red thing?'
      predinet-prolog ask scene.pl 'How many things have the same colour as ob_2?'
      predinet-prolog ask street.jpg 'Does any person touch a bicycle?' --detections coco.json --why
    """
    reasons = list[str]()

    def put(engine: Engine, asked: Source, english: str, rules: list[Rules]) -> Replied:
        reply = in_english(engine, asked, english, rules)
        if why and not question.as_json:
            goal = reply.reading.goal
            reasons.append(reasons_text(engine.ask(asked.program, goal, rules=rules, limit=1, why=True)))
        return reply

    asked, reply = question.put(put, whole=True)
    text = "".join([f"{reply.reading.goal}.\n{reply.reading.answer}\n", *reasons])
    question.tell(asked, reply.to_json, lambda: text, holds=True)


def in_english(engine: Engine, asked: Source, question: str, rules: list[Rules]) -> Replied:
    """What the question gets. Raises what is wrong with it."""
    english = english_rules(() if asked.view is None else asked.view.categories)
    try:
        reply = only(engine.ask_in_english(asked.program, [("", [question])], rules=[*rules, english]))
        reply.reading  # noqa: B018 (which raises it)
    except SymbolicError as error:
        with suppress(UnknownPredicateError):
            if asked.view is None and engine.ask(asked.program, "object(Image, X)", limit=1).answers:
                about = "questions in English are about one of its pictures"
                raise UsageError(f"a knowledge base is asked by query: {about}") from error
        raise
    return reply
