"""The JSON that goes in and out, as Python types and, through FastAPI, as the OpenAPI document."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from predinet_prolog.symbolic.limits import GOAL_CHARACTERS, QUESTION_CHARACTERS

RULES_CHARACTERS = 64 * 2**10
"""Most characters of the rules that come with a question."""
LESSON_SCENES = 200
"""Most examples that rules are learned from, and most scenes beside them."""
NAMED_OBJECTS = 200
"""Most objects that a word is shown with, and most counter-examples."""
RULES_DESCRIPTION = (
    "Clauses of Prolog to add to the program. A first line that is just the name of a theory that comes along stands "
    "for its clauses."
)


class Described(BaseModel):
    """Members whose descriptions may stand below them."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class Schema(Described):
    """Exactly the members named, of exactly their types: no "5" for 5."""

    model_config = ConfigDict(extra="forbid", strict=True)


TEXT_DESCRIPTION = "Whether each answer comes as Prolog text, too."


class Asking(Described):
    """A query, or a question in English."""

    query: str = Field("", max_length=GOAL_CHARACTERS, description="One goal of Prolog.", examples=["object(X)"])
    rules: str = Field("", max_length=RULES_CHARACTERS, description=RULES_DESCRIPTION)
    limit: int | None = Field(None, ge=1, description="Most answers wanted; never more than the service's own limit.")
    why: bool = Field(False, description="Whether each answer comes with its proof.")
    text: bool = Field(False, description=TEXT_DESCRIPTION)
    question: str = Field("", max_length=QUESTION_CHARACTERS)
    """A question in English, such as How many things are red?, in the place of a query. The goal that it means is
    asked; goal and answer stand beside the answers."""


class SceneQuery(Asking, Schema):
    """A question to a scene."""


class Supposing(Described):
    """A query of what looks otherwise."""

    query: str = Field(min_length=1, max_length=GOAL_CHARACTERS, examples=["same(X, Y)"])
    """One goal of Prolog."""
    fact: str = Field("", max_length=GOAL_CHARACTERS)
    """What is supposed, such as same_colour(ob_0, ob_1), by which ob_1 takes the colour of ob_0, or
    \\+ same(ob_0, ob_1); several with commas between. Where there is none, the least changes are looked for that would
    give the query an answer, or take all away."""
    rules: str = Field("", max_length=RULES_CHARACTERS, description=RULES_DESCRIPTION)
    limit: int | None = Field(None, ge=1, description="Most answers or changes; never more than the service's limit.")
    text: bool = Field(False, description=TEXT_DESCRIPTION)


class SceneSupposition(Supposing, Schema):
    """A question to a scene that looks otherwise."""


class Proof(Described):
    """Why a goal is true: what it follows from, and that in turn."""

    goal: str = Field(description="The goal that is true, as text.")
    by: str = Field(description='What makes it so, such as "fact", "clause" or "builtin".')
    source: str | None = Field(None, description='Where the clause stands: "program", "rules" or a theory\'s file.')
    clause: str | None = Field(None, description="The clause, as text.")
    tells: str | None = Field(None, examples=["r4: shape"])
    """Of a goal about a relation: the relation and what it tells, if the program says so."""
    confidence: float | None = Field(None, ge=0, le=1)
    """The probability that the goal is true, if the program says one."""
    because: list["Proof"] | None = Field(None, description="Proofs of the goals in the clause's body.")

    model_config = ConfigDict(extra="allow")


class Answer(Described):
    """One answer to the query."""

    bindings: dict[str, Any]
    """Value of each variable: an atom is a string, a number bare, a list an array; all else is tagged, such as
    {"functor": "f", "args": []}, {"string": "s"}, {"var": "X"}, {"int": "9007199254740993"}."""
    constraints: list[str] | None = Field(None, description="What must still hold, as Prolog text.")
    text: dict[str, str] | None = Field(None, description="Each value as Prolog text, if that was asked for.")
    confidence: float | None = Field(None, ge=0, le=1)
    """Of the proof's steps the least confidence: the proof is no likelier to be right than its weakest step. Only with
    a proof, and where the program says how likely a step is."""
    why: Proof | None = Field(None, description="The answer's proof, if it was asked for.")


class GoalAnswers(Described):
    """All answers to a goal. A goal that is true without variables has one answer that binds nothing."""

    answers: list[Answer]
    more: bool = Field(description="Whether there are more answers than the limit.")
    why_not: dict[str, Any] | None = None
    """Where the proof of a query without answers stopped, if proofs were asked for. A step's confidence is the
    probability that it is true after all."""


class Reply(Described):
    """What stands beside the answers."""

    model: str = Field(description="The model that looked.")
    notes: list[str] = Field(description="What was done to the image, such as resizing.")
    warnings: list[str]
    """Why what was seen may mean nothing, such as that the image is of another world than the model's."""
    hints: list[str] | None = None
    """What the query may have been meant to say, such as that Ob_0 is a variable and ob_0 is not."""


class QueryAnswer(Reply, GoalAnswers):
    """All answers to a query. A query that is true without variables has one answer that binds nothing."""

    goal: str | None = Field(None, description="Of a question in English: the goal that it means.")
    answer: str | None = None
    """Of a question in English: yes, no, a number, a value, names of objects, or none."""
    remark: str | None = Field(None, description="Of a question in English: what an unknown word in it was taken for.")


class Change(Described):
    """An object looks otherwise."""

    object: str = Field(examples=["ob_1"])
    attribute: str = Field(examples=["colour"])
    like: str | None = Field(None, description="The object that it takes this from; missing: none has it.")


class SuppositionAnswer(Reply):
    """What would be so. With a fact, `changes` to `after`; without, `wanted` to `more`."""

    before: GoalAnswers = Field(description="The answers as it was seen.")
    changes: list[Change] | None = Field(None, description="What changes if the fact is true.")
    true: list[str] | None = Field(None, description="Facts of sameness that become true, one of a pair's two.")
    false: list[str] | None = Field(None, description="Those that become false.")
    after: GoalAnswers | None = Field(None, description="The answers then, with proofs, or why there is none.")
    wanted: bool | None = Field(None, description="Whether the query had no answer, and is to have one.")
    least: list[list[Change]] | None = None
    """The ways to turn it with the fewest changes, two at most."""
    more: bool | None = Field(None, description="Whether there are more such ways than the limit.")


class SymbolPlace(Described):
    """A symbol of the program and where it lies, in pixels of the image as it was given, y down."""

    name: str = Field(examples=["ob_0"])
    x: float = Field(description="Of its centre.")
    y: float
    left: float = Field(description="Of the box that fits it, or of the window that the network saw it in.")
    top: float
    width: float
    height: float
    look: int | None = Field(None, description="The look that saw it first, from 1. Missing where there is one look.")


class GivenImage(Described):
    """The image as it was given."""

    width: int = Field(description="In pixels, upright.")
    height: int
    sha256: str = Field(description="Of the file's bytes.")


class Links(Described):
    """Where the rest of a scene is."""

    self: str
    program: str
    image: str
    masks: str
    query: str


class SceneDetails(Described):
    """A scene that is stored."""

    id: str = Field(pattern="^[0-9a-f]{32}$", description="Of this posting, drawn at random.")
    model: str
    looks: int | None = Field(description="The bound on looks; null: until nothing new appeared.")
    notes: list[str] = Field(description="What was done to the image, such as resizing.")
    warnings: list[str]
    """Why what was seen may mean nothing, such as that the image is of another world than the model's."""
    boxes: Literal["found", "given"] | None = None
    """Whether a picture of any size came with its boxes; null of a board, which takes none."""
    created: datetime
    expires: datetime = Field(description="When the scene goes if it is not used again until then.")
    image: GivenImage
    objects: list[SymbolPlace]
    background: list[SymbolPlace]
    predicates: list[str] = Field(description="The program's, in its order.", examples=[["object/1", "position/3"]])
    links: Links


class HeadMasks(Described):
    """Where one head of the network looked for its two objects."""

    head: str = Field(examples=["h0"])
    look: int
    first: str
    second: str
    masks: list[list[list[float]]] = Field(description="Two of size x size: for the first object and the second.")


class Masks(Described):
    """Attention: how much the network looked at each window of a board, 0 to 1, rows from top to bottom."""

    size: int = Field(description="Windows a side; 0 of a picture of any size, which has no such windows.")
    symbols: dict[str, list[list[float]]]
    heads: list[HeadMasks]


class Problem(Described):
    """Problem details of RFC 9457."""

    type: str = Field(examples=["urn:predinet-prolog:problem:syntax"])
    title: str = Field(description="What happened, the same for every problem of the kind.")
    status: int
    detail: str = Field(description="What happened this time.")
    instance: str = Field(description="Ends with the request's id, which is in X-Request-Id as well.")
    kind: str = Field(examples=["syntax"])
    position: int | None = Field(None, description="Of a syntax error: characters from the start of query or rules.")
    name: str | None = Field(None, description="Of an error in the rules or the program: which of them.")
    line: int | None = Field(None, description="Of an error in the rules or the program: its line, from 1.")


SceneName = Annotated[str, Field(pattern="^[0-9a-f]{32}$", description="A scene's id.", examples=["0" * 32])]
ObjectName = Annotated[str, Field(pattern="^ob_[0-9]{1,6}$", description="An object's name.", examples=["ob_0"])]
PredicateName = Annotated[str, Field(pattern="^[a-z][A-Za-z0-9_]{0,63}$")]


class Example(Schema):
    """A scene, and what is to be said of it."""

    scene: SceneName
    label: str = Field(min_length=1, max_length=100, description="Its class, of any name.", examples=["yes"])
    task: str | None = Field(None, min_length=1, max_length=100)
    """What is asked of it, where that differs: the fact task(TASK)."""


class LearnOptions(Schema):
    """Which rules are looked for."""

    noisy: bool | None = None
    """Whether labels may be wrong: an error counts as much as one literal, else as 100. null: what does better on a
    part that is held back."""
    exclusive: bool = Field(False, description="Of the tasks only one holds of a scene.")
    variables: int | None = Field(None, ge=1, le=4, description="Objects that one condition speaks of; null: 2 to 4.")
    literals: int = Field(4, ge=1, le=6, description="Most literals of one condition.")
    only: list[PredicateName] = Field([], max_length=50, examples=[["same", "above"]])
    """Predicates that may stand in rules; empty: all."""


class Lesson(Schema):
    """Scenes with labels, and others that may be asked about next."""

    examples: list[Example] = Field(min_length=1, max_length=LESSON_SCENES)
    options: LearnOptions = Field(default_factory=lambda: LearnOptions.model_validate({}))
    unlabelled: list[SceneName] = Field([], max_length=LESSON_SCENES)
    """Scenes that may be labelled next, where no example has a task."""
    rules: str = Field(
        "",
        max_length=RULES_CHARACTERS,
        description=f"{RULES_DESCRIPTION} What they say of objects may stand in what is learned.",
    )


class LearnedClause(Described):
    """One rule. The first whose condition is true of a scene says its label."""

    label: str
    clause: str = Field(description="As Prolog text.", examples=["case(yes) :- same(A, B)."])
    right: int = Field(description="Examples that it decides rightly.")
    wrong: int = Field(description="Examples that it decides wrongly.")


class JudgedScene(Described):
    """What the rules say of a scene without a label."""

    scene: str
    said: str = Field(description="By the rules.")


class TaughtScene(JudgedScene):
    """What the rules say of an example."""

    label: str = Field(description="As it was given.")


class NextScene(Described):
    """A scene without a label, of which the rules, their rivals and some longer ones say different things."""

    scene: str
    said: list[str] = Field(description="By the rules, by each rival, and by each longer one.")


class HeldBack(Described):
    """Examples that were held back to judge what the others taught."""

    learned_from: int = Field(description="How many others there were.")
    n: int = Field(description="How many were held back.")
    right: int = Field(description="Those that were right in the mode that was kept.")
    tried: dict[Literal["strict", "noisy"], int] = Field(description="Those that were right, by mode.")


class DoubtfulScene(Described):
    """An example to look at again: an extra clause alone explains its label, or another example contradicts it."""

    scene: str
    label: str = Field(description="As it was given.")
    against: list[str] = Field(description="Examples with the same facts, as far as rules go, and another label.")


class Learned(Described):
    """The simplest rules that say of the examples what is to be said of them."""

    rules: str = Field(description="Clauses that define label/1: to be sent as `rules` with the query label(L).")
    clauses: list[LearnedClause]
    default: str = Field(description="The label where no clause is true.")
    errors: int = Field(description="Examples of which the rules say another label.")
    cut: bool = Field(description="Whether there were too many conditions to look at all of them.")
    mode: Literal["strict", "noisy"] = Field(description="Whether labels were taken to be wrong where that is simpler.")
    held_back: HeldBack | None = Field(description="null: there were too few examples.")
    again: list[DoubtfulScene] = Field(description="Where to look again.")
    pictures: list[TaughtScene] = Field(description="The examples, in their order.")
    unlabelled: list[JudgedScene]
    rivals: list[str] = Field(description="Other rules as simple that fit the examples as well.")
    next: list[NextScene] = Field(description="What to label next, to tell such rules apart: the most telling first.")


class Naming(Schema):
    """Objects of a scene, and a word for them."""

    word: str = Field(pattern="^[a-z][a-z0-9_]{0,63}$", examples=["red"])
    scene: SceneName
    objects: list[ObjectName] = Field(min_length=1, max_length=NAMED_OBJECTS, examples=[["ob_0"]])
    """The word is true of these."""
    counter_examples: list[ObjectName] = Field([], alias="others", max_length=NAMED_OBJECTS)
    """The word is not true of these."""
    by: Literal["colour", "shade", "shape", "look"] | None = None
    """What the word is for. A colour is a region around those shown, a shade is just those, a look is shape and colour;
    null: what the objects have in common, and no other with one of them."""
    rules: str = Field("", max_length=RULES_CHARACTERS, description="Clauses that the word's are to stand among.")


class Named(Described):
    """A word."""

    rules: str = Field(
        description="The rules sent, with the word's clauses in the place of its former ones: to be sent with a query.",
        examples=["% word red: by colour, from ob_0\nred(X) :- colour(X, R, G, B), R > 200, G < 80, B < 80.\n"],
    )
    by: str = Field(description="What the word is for.", examples=["colour"])
    goal: str = Field(description="Asks what the word is true of.", examples=["red(X)"])
    objects: list[str] = Field(description="Those of the scene that it is true of.", examples=[["ob_0"]])


class ModelCard(Described):
    """What is known of a model."""

    name: str
    default: bool = Field(description="Whether it is used where none is named.")
    any_size: bool = Field(description="Whether it sees pictures of any size, and takes boxes.")
    tasks: list[str] = Field(description="Tasks it was trained on.")
    heads: int = Field(description="Pairs of objects it picks from a board; 0: it compares all pairs.")
    relations: int = Field(description="Relations it computes of each pair.")
    accuracies: dict[str, dict[str, float]] = Field(description="Its own answers' accuracy, by objects and task.")
    sha256: str


class Health(Described):
    """The service works: Prolog answered."""

    status: Literal["ok"] = "ok"
    model: str
