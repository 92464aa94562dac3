"""Questions in English about programs of every kind: what they mean, what they get, and what is said of those that are
none. The grammar's parts are tested in english.plt."""

import shutil
from collections.abc import Iterator

import pytest

from predinet_prolog.bridge.english import english
from predinet_prolog.symbolic import Engine, EnglishError, Replied, Rules, SymbolicError

pytestmark = pytest.mark.skipif(shutil.which("swipl") is None, reason="no swipl on PATH")

STREET = """
object(ob_0). object(ob_1). object(ob_2). object(ob_3). object(ob_4). object(ob_5). object(ob_6). object(ob_7).
category(ob_0, car). category(ob_1, 'traffic light'). category(ob_2, helmet). category(ob_3, person).
category(ob_4, person). category(ob_5, person). category(ob_6, bicycle). category(ob_7, dog).
attribute(ob_0, color, red). attribute(ob_2, color, yellow). attribute(ob_6, color, red). attribute(ob_7, color, brown).
attribute(ob_3, standing, true). attribute(ob_4, standing, false). attribute(ob_5, standing, true).
color(X, V) :- attribute(X, color, V).
standing(X, V) :- attribute(X, standing, V).
box(ob_0, 200, 20, 280, 70). box(ob_1, 440, 20, 460, 80). box(ob_2, 20, 90, 50, 115). box(ob_3, 10, 100, 70, 250).
box(ob_4, 120, 100, 180, 250). box(ob_5, 300, 100, 350, 250). box(ob_6, 110, 180, 200, 260).
box(ob_7, 380, 200, 440, 250).
position(X, Px, Py) :- box(X, L, T, R, B), Px is (L + R)/2, Py is (T + B)/2.
left_of(X, Y) :- position(X, A, _), position(Y, B, _), B - A > 15.
above(X, Y) :- position(X, _, A), position(Y, _, B), B - A > 15.
size(X, S) :- box(X, L, T, R, B), S is max(R - L, B - T).
larger(X, Y) :- size(X, A), size(Y, B), A > 1.14*B.
touches(ob_2, ob_3). touches(ob_3, ob_2). touches(ob_4, ob_6). touches(ob_6, ob_4).
overlaps(X, Y) :- touches(X, Y).
inside(_, _) :- fail.
centres_apart(X, Y, D) :- position(X, A, B), position(Y, C, E), X \\== Y, D is sqrt((A - C)**2 + (B - E)**2).
zone(yard). in_zone(ob_1, yard). in_zone(ob_5, yard). in_zone(ob_7, yard).
"""
STREET_QUESTIONS = """
How many persons are there? 3
How many people are there in the picture? 3
Is there a dog? yes
Are there any bicycles? yes
Is there a red car? yes
What color is the car? red
What colour is the dog? brown
Which things are red? ob_0, ob_6
Which persons are standing? ob_3, ob_5
How many persons are not standing? 1
Does any person touch a helmet? yes
How many persons touch no helmet? 2
Does every person touch a helmet? no
Which person overlaps the bicycle? ob_4
Is the helmet inside a person? no
Is anything inside the yard? yes
Which persons are in the yard? ob_5
How many things are not in the yard? 5
What is left of the bicycle? ob_2, ob_3
Is the traffic light above the dog? yes
Is the car the same color as the bicycle? yes
Do the car and the bicycle have the same color? yes
Are there more persons than dogs? yes
Are there as many cars as bicycles? yes
What is ob_3? person
Is ob_3 a person? yes
Which person is the leftmost? ob_3
What is the leftmost person? ob_3
Which person is closest to the dog? ob_5
Is the person closest to the dog standing? yes
Are all persons left of the dog? yes
Is no person right of the dog? yes
Is there a person who touches a bicycle? yes
How many things overlap another thing? 4
Which things touch nothing? ob_0, ob_1, ob_5, ob_7
Are there exactly three persons? yes
Are there at least 4 people? no
Who is standing? ob_3, ob_5
Is the person who touches the bicycle standing? no
What does the dog touch? none
What is touched by the helmet? ob_3
Which things have the same color as the car? ob_6
What is the color of the thing that overlaps a standing person? yellow
Is the dog brown and right of the car? yes
What is the category of ob_0? car
Are the dogs brown? yes
How many red things are left of the dog and not in the yard? 2
Is the number of persons greater than the number of red things? yes
There is a bicycle; is it left of the dog? yes
Is there anything red? yes
How many persons and dogs are there? 4
Is there another red thing left of the dog? yes
There is a car; is there another red thing? yes
Is the dog left of the red car? no
Is the dog right of the red car? yes
Is the person who touches the red bicycle left of the brown dog? yes
Is there something brown left of the car? no
How many of the persons are standing? 2
Are any of the cars red? yes
Are all of the persons standing? no
What are the colors of the red things? red
What colors are there? brown, red, yellow
What color does the dog have? brown
What is the dog's color? brown
Is the dog's color brown? yes
Are all red things the same color? yes
Is there a dog and a helmet? yes
How many persons do you see? 3
Can you see any bicycles? yes
Does the picture show a dog? yes
What is in the yard? ob_1, ob_5, ob_7
List the persons? ob_3, ob_4, ob_5
Count the persons left of the dog? 3
Are there three persons? yes
Which things are neither red nor brown? ob_1, ob_2, ob_3, ob_4, ob_5
Do the bicycle and the person who touches the bicycle touch each other? yes
How many objects are there in total? 8
How many persons aren't standing? 1
Who's standing? ob_3, ob_5
Which things are persons or dogs? ob_3, ob_4, ob_5, ob_7
Which persons are left of all red things? ob_3
"""
BOARD = """
object(ob_0). object(ob_1). object(ob_2). object(ob_3).
position(ob_0, 6, 6). position(ob_1, 18, 6). position(ob_2, 30, 6). position(ob_3, 18, 30).
left_of(X, Y) :- position(X, A, _), position(Y, B, _), B - A > 3.
above(X, Y) :- position(X, _, A), position(Y, _, B), B - A > 3.
same_row(X, Y) :- position(X, _, A), position(Y, _, A), X \\== Y.
lies_between(Y, X, Z) :- same_row(X, Y), same_row(Y, Z), left_of(X, Y), left_of(Y, Z).
same(ob_0, ob_2). same(ob_2, ob_0).
same_shape(ob_0, ob_2). same_shape(ob_2, ob_0). same_shape(ob_1, ob_3). same_shape(ob_3, ob_1).
same_colour(X, Y) :- same(X, Y).
colour(X, Word) :- shade(X, Word).
shade(ob_0, red). shade(ob_1, blue). shade(ob_2, red). shade(ob_3, grey).
palette(red, 255, 0, 0). palette(blue, 0, 0, 255). palette(grey, 9, 9, 9). palette(pink, 255, 200, 200).
"""
BOARD_QUESTIONS = """
How many things are there? 4
How many objects are red? 2
Are there any pink things? no
What is the same as ob_0? ob_2
Do ob_0 and ob_1 have the same shape? no
Is ob_1 the same shape as ob_3? yes
How many other things are the same color as ob_0? 1
Is anything between ob_0 and ob_2? yes
Which things are in the same row as ob_0? ob_1, ob_2
Are all things the same colour as ob_0? no
Is ob_3 gray? yes
What is below ob_1? ob_3
Are ob_0 and ob_2 alike? yes
Is every red thing above ob_3? yes
"""
TAUGHT = "ring(ob_1).\nshape(ob_3, star).\nguards(ob_1, ob_3).\n"
TAUGHT_QUESTIONS = """
Is there a red ring? no
Which thing is a ring? ob_1
Is the star below the ring? yes
What does the ring guard? ob_3
What guards the star? ob_1
"""
CLEVR = """
object(ob_0). object(ob_1). object(ob_2). object(ob_3). object(ob_4).
attribute(ob_0, shape, cube). attribute(ob_1, shape, cube). attribute(ob_2, shape, sphere).
attribute(ob_3, shape, cylinder). attribute(ob_4, shape, sphere).
attribute(ob_0, color, red). attribute(ob_1, color, gray). attribute(ob_2, color, gray). attribute(ob_3, color, red).
attribute(ob_4, color, blue).
attribute(ob_0, material, metal). attribute(ob_1, material, rubber). attribute(ob_2, material, metal).
attribute(ob_3, material, rubber). attribute(ob_4, material, rubber).
attribute(ob_0, size, large). attribute(ob_1, size, small). attribute(ob_2, size, small). attribute(ob_3, size, small).
attribute(ob_4, size, large).
shape(X, V) :- attribute(X, shape, V).
color(X, V) :- attribute(X, color, V).
material(X, V) :- attribute(X, material, V).
size(X, V) :- attribute(X, size, V).
on_ground(ob_1, left, ob_0). on_ground(ob_2, left, ob_0). on_ground(ob_2, left, ob_1). on_ground(ob_3, behind, ob_2).
on_ground(ob_2, front, ob_3). on_ground(ob_0, right, ob_1). on_ground(ob_4, behind, ob_3). on_ground(ob_3, front, ob_4).
left_of_ground(X, Y) :- on_ground(X, left, Y).
right_of_ground(X, Y) :- on_ground(X, right, Y).
behind(X, Y) :- on_ground(X, behind, Y).
in_front(X, Y) :- on_ground(X, front, Y).
left_of(ob_4, ob_0).
"""
CLEVR_QUESTIONS = """
How many tiny things are there? 3
What number of balls are on the left side of the large metallic block? 1
Are there any purple cylinders? no
What is the shiny ball made of? metal
The small gray block has what shape? cube
How big is the matte thing that is behind the shiny ball? small
There is a red rubber thing; what size is it? small
There is a cylinder behind the metal ball; are there any big objects behind it? yes
Are there any other things that are the same color as the metal ball? yes
How many other small objects are made of the same material as the cylinder? 1
What shape is the other small thing that is made of the same material as the cylinder? cube
How many things are either blue balls or red metal cubes? 2
How many rubber things are cubes that are left of the big cube or cylinders that are behind the metal ball? 2
What color is the thing that is both left of the large cube and in front of the cylinder? gray
What is the size of the gray thing that is left of the big cube and is the same shape as the blue ball? small
Is there a cube that is the same color as the ball left of the gray cube? yes
Is there a thing in front of the thing that is the same size as the red metal block? yes
Is the small gray cube left of the big cube made of the same material as the thing behind the metal ball? yes
Is the color of the cylinder the same as the metal cube? yes
Do the blue ball and the shiny ball have the same size? no
There is another small thing that is the same color as the small ball; does it have the same shape as the big cube? yes
Are there fewer gray things left of the big cube than rubber things? yes
Is the number of cubes the same as the number of spheres? yes
Are there an equal number of small things and large things? no
How many different colors are there? 3
Is the gray ball left of the gray block? yes
Which things have the same size and color as ob_0? none
Which things have the same color and material as ob_3? none
Is the small sphere left of all cubes? yes
"""
WRONG = """
Hello | unknown word 'hello': the words for things are bicycle, blue, brown, car
What? | it ends too early, after 'what'
How many? | it ends too early, after 'how many'
The dog. | it ends too early, after 'the dog'
Is the dog? | it ends too early, after 'is the dog'
Is there? | it ends too early
How many unicorns are there? | unknown word 'unicorns'
How many bicicles are there? | unknown word 'bicicles': did you mean bicycle?
How many dogs are happy? | unknown word 'happy'
Why is the dog brown? | unknown word 'why'
When was the picture taken? | unknown word 'when'
Where is the dog? | unknown word 'where'
What is the meaning of life? | unknown word 'meaning'
Paint the dog red! | unknown word 'paint'
Delete all objects | unknown word 'delete'
object(X) | unknown word 'x'
aggregate_all(count, object(X), N) | unknown word 'aggregate_all'
:- halt. | unknown word 'halt'
How many dogs are left the car? | from 'the car' on
How many dogs are left of? | it ends too early, after 'how many dogs are left of'
Is the dog left of the purple elephant? | unknown word 'elephant'
Are there more dogs? | it ends too early
Are there more dogs than? | it ends too early
Are there more dogs of cars? | from 'cars' on
What color? | it ends too early
What color is? | it ends too early
What is the weight of the dog? | unknown word 'weight'
What shape is the dog? | unknown word 'shape'
Is the dog heavier than the car? | unknown word 'heavier'
Does the dog have a tail? | unknown word 'tail'
Does the dog love the car? | unknown word 'love'
Is the dog behind the car? | unknown word 'behind'
There is a dog; what color? | it ends too early
There is a dog. | it ends too early
What color is it? | from 'it' on
Is it red? | from 'it red' on
Is ob_99 red? | no object ob_99: there are ob_0 … ob_7
Which ob_0 is red? | from 'ob_0 is red' on
How much is the dog? | unknown word 'much'
Could the dog be red? | unknown word 'could'
Is the dog red or? | it ends too early
Is the dog and the car? | it ends too early
Do the dog and the car? | it ends too early
Wie viele Hunde gibt es? | unknown word 'wie'
???? | no question that can be read: ask how many things are so
dog dog dog | no question that can be read
the the the | from 'the the' on
how many many dogs are there | from 'many dogs are there' on
Every dog is red | no question that can be read
What color is the person? | the person: there are 3, ob_3, ob_4, ob_5
Is the red dog left of the car? | the red dog: there is none
Are all green cars left of the dog? | there is no such thing: green cars
Is there another red thing? | other things than which?
How many other persons are there? | other things than which?
Is the dog left of every blue car? | there is no such thing: blue car
"""


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(time_limit=5) as engine:
        yield engine


def asked(engine: Engine, program: str, questions: list[str], taught: str = "") -> list[Replied | SymbolicError]:
    rules = [Rules("english", english()), *([Rules("taught", taught)] if taught else [])]
    return engine.ask_in_english(program, [("", questions)], rules=rules)[0]


@pytest.mark.parametrize(
    ("program", "lines", "taught"),
    [
        (STREET, STREET_QUESTIONS, ""),
        (BOARD, BOARD_QUESTIONS, ""),
        (BOARD, TAUGHT_QUESTIONS, TAUGHT),
        (CLEVR, CLEVR_QUESTIONS, ""),
    ],
    ids=["detections", "board", "taught", "clevr"],
)
def test_questions_are_answered(engine: Engine, program: str, lines: str, taught: str) -> None:
    rows = [line.partition("? ") for line in lines.strip().splitlines()]
    replies = asked(engine, program, [f"{question}?" for question, _, _ in rows], taught)
    told = [str(reply) if isinstance(reply, SymbolicError) else reply.reading.answer for reply in replies]
    assert told == [answer for *_, answer in rows]


def test_what_is_asked_is_what_the_goal_asks(engine: Engine) -> None:
    rows = [line.partition("? ") for line in STREET_QUESTIONS.strip().splitlines()]
    replies = asked(engine, STREET, [f"{question}?" for question, _, _ in rows])
    for (*_, answer), reply in zip(rows, replies, strict=True):
        assert isinstance(reply, Replied)
        answers = engine.ask(STREET, reply.reading.goal).answers
        assert bool(answers) == (answer not in ("no", "none")), reply.question


@pytest.mark.parametrize("line", WRONG.strip().splitlines())
def test_what_is_wrong_is_one_clear_line(engine: Engine, line: str) -> None:
    question, _, fault = line.partition(" | ")
    told = ""
    try:
        ((reply,),) = engine.ask_in_english(STREET, [("", [question])], rules=[Rules("english", english())])
        assert isinstance(reply, Replied)
        told = f"answered: {reply.reading.answer}"
    except SymbolicError as error:
        told = str(error)
    assert fault in told
    assert "\n" not in told


def test_a_word_that_means_two_things_gives_two_readings(engine: Engine) -> None:
    vases = "object(a). object(b). category(a, glass). category(b, vase). material(a, clay). material(b, glass)."
    agreeing, other = asked(engine, vases, ["How many glass things are there?", "Which things are glass?"])
    assert isinstance(agreeing, Replied)
    assert [reading.goal for reading in agreeing.readings] == [
        "aggregate_all(count, (object(X), category(X, glass)), N)",
        "aggregate_all(count, (object(X), material(X, glass)), N)",
    ]
    assert agreeing.to_json()["answer"] == "1"
    assert isinstance(other, Replied)
    (two,) = asked(engine, "object(a). object(b). object(c).", ["Are there two things?", ""])[:1]
    assert isinstance(two, Replied)
    assert [(reading.goal[-6:], reading.answer) for reading in two.readings] == [(" =:= 2", "no"), ("N >= 2", "yes")]
    row = "object(a). object(b). object(c). category(a, cup). category(b, dog). category(c, hat). left_of(a, b). "
    (cup,) = asked(engine, row + "above(b, c). above(a, c).", ["Is the cup left of the dog above the hat?", ""])[:1]
    assert isinstance(cup, Replied)
    ends = ("left_of(Y, X), object(Z), category(Z, hat), above(Y, Z)", "above(Z, Y), left_of(X, Z)")
    assert [reading.goal.endswith(end) for reading, end in zip(cup.readings, ends, strict=True)] == [True, True]
    assert [reading.answer for reading in cup.readings] == ["yes", "yes"]
    with pytest.raises(EnglishError, match=r"2 ways: .*category\(X, glass\) gives a; .*material\(X, glass\) gives b"):
        other.to_json()


def test_pictures_have_questions_of_their_own(engine: Engine) -> None:
    common = "object(_) :- fail.\ncategory(_, _) :- fail."
    pictures = [
        ("object(a). category(a, dog).", ["Is there a dog?", "How many dogs are there?"]),
        ("object(_) :- fail.\ncategory(_, _) :- fail.", ["Is there anything?"]),
        ("object(a). object(b). category(a, dog). category(b, dog).", ["How many dogs are there?", "Is there a cat?"]),
    ]
    replies = engine.ask_in_english(common, pictures, rules=[Rules("english", english())])
    told = [[r.reading.answer if isinstance(r, Replied) else r.kind for r in picture] for picture in replies]
    assert told == [["yes", "1"], ["no"], ["2", "question"]]


def test_a_question_has_an_end(engine: Engine) -> None:
    with pytest.raises(EnglishError, match="at most 1,024 characters"):
        asked(engine, BOARD, ["Is there a dog?" * 100])
