"""Many questions about the pictures of a folder, in English or as functional programs, whose answers are known."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from predinet_prolog.bridge.program import Program
from predinet_prolog.bridge.writers.prolog import write_each
from predinet_prolog.domains.detections import Source
from predinet_prolog.domains.names import PictureFiles
from predinet_prolog.experiments.question_evaluation import AskedQuestion, QuestionEvaluation, is_exact, judged
from predinet_prolog.service.errors import kind_of
from predinet_prolog.service.folders import Pictures, Summary
from predinet_prolog.service.rows import programs_of
from predinet_prolog.service.theories import english_rules
from predinet_prolog.symbolic import Engine, EnglishError, Replied, Rules, SymbolicError, theory
from predinet_prolog.symbolic.functional import ANSWER, goal_of

BATCH = 64
"""Pictures at a time."""
OF_PROGRAMS = "clevr"
"""The theory whose predicates functional programs call."""
WAYS = ("text", "program")
"""How a question is asked: in English, or by its functional program."""
Answered = tuple[str | None, str]
"""The answer, and the cause where there is none."""
Asked = Mapping[str, list[int]]
"""Of pictures, by their paths in the folder, the places of their questions."""


def evaluate_questions(
    pictures: Pictures,
    questions: Sequence[AskedQuestion],
    *,
    by: str = WAYS[0],
    truth: Source | None = None,
    time_limit: float = 1.0,
    report: Callable[[int], None] = lambda done: None,
) -> tuple[QuestionEvaluation, Summary]:
    """How the questions about pictures of a folder are answered, and what became of the pictures.

    by: one of WAYS. truth: what there truly is in the pictures. time_limit: seconds for a question. report: is told of
    so many more questions. Raises DomainError for a picture that is not there.
    """
    files, of_picture = PictureFiles(pictures.folder), defaultdict[str, list[int]](list)
    for place, question in enumerate(questions):
        of_picture[files.called(question.image)].append(place)
    answers: list[Answered] = [(None, "picture")] * len(questions)
    summary, exact, names = Summary(), list[bool](), list(of_picture)
    source = pictures.detections and pictures.detections.source
    if by == WAYS[0]:
        put, rules = _in_english, english_rules(sorted(source.categories) if source else ())
    else:
        put, rules = _by_program, theory(OF_PROGRAMS)
    with Engine(time_limit=time_limit) as engine:
        engine.start()  # while the first are looked at
        for start in range(0, len(names), BATCH):
            programs = dict(programs_of(pictures, tuple(names[start : start + BATCH]), summary))
            if not programs:
                continue
            asked = {name: of_picture[name] for name in programs}
            for place, answer in put(engine, programs, asked, questions, rules):
                answers[place] = answer
            if truth is not None:
                images = [(name, program, program.provenance.image) for name, program in programs.items()]
                exact += [
                    is_exact(program, truth.of(name, (image.width, image.height))) for name, program, image in images
                ]
            report(sum(map(len, asked.values())))
    return judged(questions, answers, exact), summary


def _in_english(
    engine: Engine, programs: Mapping[str, Program], asked: Asked, questions: Sequence[AskedQuestion], rules: Rules
) -> Iterator[tuple[int, Answered]]:
    texts = {name: [questions[place].text for place in places] for name, places in asked.items()}
    every = {name for program in programs.values() for name in program.facts}  # a sentence may reach any of them
    common, facts = write_each([*programs.values()], every)
    pictures = list(zip(facts, texts.values(), strict=True))
    for places, replies in zip(asked.values(), engine.ask_in_english(common, pictures, rules=[rules]), strict=True):
        yield from zip(places, map(_answer, replies), strict=True)


def _answer(reply: Replied | SymbolicError) -> Answered:
    if isinstance(reply, SymbolicError):
        return None, "not read" if isinstance(reply, EnglishError) else kind_of(reply)
    try:
        return reply.reading.answer, ""
    except EnglishError:
        return None, "not so"


def _by_program(
    engine: Engine, programs: Mapping[str, Program], asked: Asked, questions: Sequence[AskedQuestion], rules: Rules
) -> Iterator[tuple[int, Answered]]:
    words = ("attribute", "shape", "color", "material", "size", "on_ground")
    common, facts = write_each([*programs.values()], words)
    for text, places in zip(facts, asked.values(), strict=True):
        for place in places:
            question = questions[place]
            goal = goal_of(question.program, f"the program of {question.text!r}")
            (reply,) = engine.ask_each(common, [text], goal, rules=[rules], limit=1).pictures
            if isinstance(reply, SymbolicError):
                yield place, (None, kind_of(reply))
            elif reply.answers:
                yield place, (str(reply.answers[0].bindings[ANSWER]), "")
            else:
                yield place, (None, "not so")
