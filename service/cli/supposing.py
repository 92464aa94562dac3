"""suppose: what the answers would be if things looked otherwise."""

import click

from predinet_prolog.service.cli.options import COUNT, DomainCommand
from predinet_prolog.service.cli.question import Question, asks
from predinet_prolog.service.cli.reasons import tree
from predinet_prolog.service.prolog_text import more_than, write_answers
from predinet_prolog.symbolic import Change, LeastChanges, Supposition

_facts_argument = click.argument(
    "facts",
    nargs=-1,
    metavar="[FACT]...",
    help="What is supposed, such as 'same_colour(ob_0, ob_1)' or '\\+ same(ob_0, ob_1)'.",
)


@click.command(cls=DomainCommand)
@asks("Seconds for answers and proofs.", _facts_argument)
@click.option("--limit", type=COUNT, default=10, metavar="N", help="Most answers, or least changes.")
def suppose(question: Question, facts: tuple[str, ...], limit: int) -> None:
    """Tell what would be so if things looked otherwise.

    With facts, what a goal's answers are and what they would be, and why. `same_colour(ob_0, ob_1)` means that ob_1
    takes the colour of ob_0, `\\+ same_colour(ob_0, ob_1)` that it gets one that nothing has. `same/2` speaks of every
    attribute. Where things lie, and how large they are, stays as it is. Exits with 1 if there would be no answer.

    Without facts, the least changes that would give the goal an answer, or take away all it has: one object takes one
    attribute of another or gets one of its own, or two such changes together. Exits with 1 if there are none.

    \b
    Examples:
      predinet-prolog suppose scene.png 'same_colour(ob_0, ob_1)' 'same(X, Y)'
      predinet-prolog suppose scene.pl '\\+ same(ob_0, ob_1), same(ob_1, ob_2)' 'twins(X, Y)' --rules THEORY
      predinet-prolog suppose scene.png 'between_label(1)' --rules THEORY
    """
    if facts:
        asked, supposition = question.put(
            lambda engine, asked, goal, rules: engine.suppose(asked.program, facts, goal, rules=rules, limit=limit)
        )
        question.tell(asked, supposition.to_json, lambda: _supposition(supposition), supposition.after.answers)
    else:
        asked, least = question.put(
            lambda engine, asked, goal, rules: engine.least_changes(asked.program, goal, rules=rules, limit=limit)
        )
        question.tell(asked, least.to_json, lambda: _least(least), least.least)


def _supposition(supposition: Supposition) -> str:
    changes = [f"{_in_words(change)}.\n" for change in supposition.changes] or ["Nothing changes: so it was seen.\n"]
    facts = [f"  {fact}\n" for fact in supposition.true] + [f"  \\+ {fact}\n" for fact in supposition.false]
    first = next((answer.why for answer in supposition.after.answers), supposition.after.why_not)
    reason = "because" if supposition.after.answers else "What came nearest:"
    proof = f"{reason}\n{tree(first)}" if first is not None else ""
    before, after = write_answers(supposition.before), write_answers(supposition.after)
    return "".join([*changes, *facts, "\nBefore:\n", before, "\nAfter:\n", after, proof])


def _least(least: LeastChanges) -> str:
    before = write_answers(least.before)
    if not least.least:
        return f"{before}No change of looks, and no two together, would change that.\n"
    becomes = "It has an answer if" if least.wanted else "It has no answer if"
    lines = "".join(f"  {' and '.join(map(_in_words, changes))}\n" for changes in least.least)
    return f"{before}{becomes}\n{lines}{more_than(len(least.least)) if least.more else ''}"


def _in_words(change: Change) -> str:
    if change.like is None:
        return f"{change.object} gets a {change.attribute} of its own"
    return f"{change.object} takes the {change.attribute} of {change.like}"
