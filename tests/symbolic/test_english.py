"""Questions in English about programs of every kind: what they mean, what they get, and what is said of those that are
none. The grammar's parts are tested in english.plt."""

import re
import tomllib
from pathlib import Path

import pytest

from predinet_prolog.bridge.english import english
from predinet_prolog.symbolic import Engine, EnglishError, Replied, Rules, SymbolicError, TimeLimitError

WORLDS = tomllib.loads(Path(__file__).with_name("english.toml").read_text(encoding="utf-8"))
STREET = WORLDS["detections"]["program"]


def asked(engine: Engine, program: str, questions: list[str], taught: str = "") -> list[Replied | SymbolicError]:
    rules = [Rules("english", english()), *([Rules("taught", taught)] if taught else [])]
    return engine.ask_in_english(program, [("", questions)], rules=rules)[0]


def questions_of(name: str) -> tuple[list[str], list[str]]:
    """The questions of a world, and their answers."""
    rows = [line.partition("? ") for line in WORLDS[name]["questions"].splitlines()]
    return [f"{question}?" for question, _, _ in rows], [answer for *_, answer in rows]


def answer_to(reply: Replied | SymbolicError) -> str:
    """The answer, in how many ways the question can be read, or what is wrong with it."""
    try:
        return str(reply if isinstance(reply, SymbolicError) else reply.reading.answer)
    except EnglishError as error:
        ways = re.match(r"the question can be read in (\d+ ways)", str(error))
        return ways[1] if ways else str(error)


@pytest.mark.parametrize("name", ["detections", "kinds", "named", "board", "taught", "clevr"])
def test_questions_are_answered(engine: Engine, name: str) -> None:
    questions, answers = questions_of(name)
    program = WORLDS["board" if name == "taught" else name]["program"]
    assert list(map(answer_to, asked(engine, program, questions, WORLDS[name].get("taught", "")))) == answers


def test_what_is_asked_is_what_the_goal_asks(engine: Engine) -> None:
    questions, answers = questions_of("detections")
    taught = WORLDS["detections"]["taught"]
    for answer, reply in zip(answers, asked(engine, STREET, questions, taught), strict=True):
        if answer == "2 ways":
            continue
        held = engine.ask(STREET, reply.reading.goal, rules=[Rules("taught", taught)]).answers
        assert bool(held) == (answer not in ("no", "none")), reply.question


@pytest.mark.parametrize(("taught", "goal"), [("", "overlaps(X, Y)"), ("wears(ob_0, ob_1).", "wears(X, Y)")])
def test_what_is_worn_overlaps_unless_rules_say_better(engine: Engine, taught: str, goal: str) -> None:
    (reply,) = asked(engine, STREET, ["Is there a person wearing a helmet?"], taught)
    assert reply.reading.goal.endswith(goal)


def test_what_is_wrong_is_one_clear_line(engine: Engine) -> None:
    rows = [line.partition(" | ") for line in WORLDS["wrong"]["texts"].splitlines()]
    told = map(answer_to, asked(engine, STREET, [question for question, *_ in rows]))
    unclear = {row[0]: text for row, text in zip(rows, told, strict=True) if row[2] not in text or "\n" in text}
    assert not unclear


def test_what_takes_too_long_to_read_names_the_limit_that_was_set() -> None:
    question = f"is the helmet of the person with {'the helmet of the person with ' * 9}helmet"
    with Engine(time_limit=0.1) as engine, pytest.raises(TimeLimitError, match=r"time limit of 0.1 s"):
        asked(engine, STREET, [question])


def test_a_word_that_means_two_things_gives_two_readings(engine: Engine) -> None:
    vases = "object(a). object(b). category(a, glass). category(b, vase). material(a, clay). material(b, glass)."
    agreeing, other = asked(engine, vases, ["How many glass things are there?", "Which things are glass?"])
    assert [reading.goal for reading in agreeing.readings] == [
        "aggregate_all(count, (object(X), category(X, glass)), N)",
        "aggregate_all(count, (object(X), material(X, glass)), N)",
    ]
    assert agreeing.to_json()["answer"] == "1"
    (two,) = asked(engine, "object(a). object(b). object(c).", ["Are there two things?", ""])[:1]
    assert [(reading.goal[-6:], reading.answer) for reading in two.readings] == [(" =:= 2", "no"), ("N >= 2", "yes")]
    row = "object(a). object(b). object(c). category(a, cup). category(b, dog). category(c, hat). left_of(a, b). "
    (cup,) = asked(engine, row + "above(b, c). above(a, c).", ["Is the cup left of the dog above the hat?", ""])[:1]
    ends = ("left_of(Y, X), object(Z), category(Z, hat), above(Y, Z)", "above(Z, Y), left_of(X, Z)")
    assert [reading.goal.endswith(end) for reading, end in zip(cup.readings, ends, strict=True)] == [True, True]
    assert [reading.answer for reading in cup.readings] == ["yes", "yes"]
    with pytest.raises(EnglishError, match=r"2 ways: .*category\(X, glass\) gives a; .*material\(X, glass\) gives b"):
        other.to_json()


def test_pictures_have_questions_of_their_own(engine: Engine) -> None:
    common = "object(_) :- fail.\ncategory(_, _) :- fail."
    pictures = [
        ("object(a). category(a, dog).", ["Is there a dog?", "How many dogs are there?"]),
        ("\n", ["Is there anything?"]),
        ("object(a). object(b). category(a, dog). category(b, dog).", ["How many dogs are there?", "Is there a cat?"]),
    ]
    replies = engine.ask_in_english(common, pictures, rules=[Rules("english", english())])
    told = [[r.reading.answer if isinstance(r, Replied) else type(r) for r in picture] for picture in replies]
    assert told == [["yes", "1"], ["no"], ["2", EnglishError]]


def test_a_question_has_an_end(engine: Engine) -> None:
    with pytest.raises(EnglishError, match="at most 1,024 characters"):
        asked(engine, STREET, ["Is there a dog?" * 100])
    with pytest.raises(SymbolicError, match=r"`:- table far_from/2\.`"):
        asked(engine, "object(a).", ["Which things are far from a thing?"], "far_from(X, Y) :- far_from(Y, X), a.")
