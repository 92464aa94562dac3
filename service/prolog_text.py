"""Answers in the manner of Prolog's own toplevel, of an engine that gives texts."""

from predinet_prolog.symbolic.answers import Answer, Answers


def write_answers(answers: Answers) -> str:
    """`X = ob_1, V = 0.5 ;` lines, one for each answer, the last with a full stop.

    No answers are `false.`, an answer that binds nothing is `true`; if there are more, a comment at the end says so.
    """
    if not answers.answers:
        return "false.\n"
    lines = " ;\n".join(map(write_answer, answers.answers))
    return f"{lines} ;\n{more_than(len(answers.answers))}" if answers.more else f"{lines}.\n"


def more_than(count: int) -> str:
    """The comment that says that there are more answers than `count`."""
    return f"% and more: {'this is the first' if count == 1 else f'these are the first {count}'}\n"


def write_answer(answer: Answer) -> str:
    """Its bindings and constraints, `true` if there are none."""
    bound = [f"{name} = {text}" for name, text in (answer.text or {}).items() if text != name]
    return ", ".join([*bound, *answer.constraints]) or "true"
