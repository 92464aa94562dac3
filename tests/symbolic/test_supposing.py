"""Suppositions: that a world is as if the scene had been so, that least changes are the least, and what is refused."""

from itertools import combinations, product

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from predinet_prolog.service.errors import kind_of
from predinet_prolog.symbolic import Engine, Rules, SymbolicError, TimeLimitError
from tests.cases import cases

pytestmark = pytest.mark.slow(10)
CASES = cases(__file__)

Looks = dict[str, dict[str, int]]  # by attribute and object, what it has
OBJECTS = ["ob_0", "ob_1", "ob_2", "ob_3", "ob_4"]
NEW = 9  # what none has
NAMES = ("same", "same_colour", "same_shape", "colour", "twins", "left_of")
ALL = ", ".join(f"findall(X-Y, {name}(X, Y), {name.title()})" for name in NAMES)
RULES = (Rules("mine", "twins(X, Y) :- same(X, Y), X @< Y.\nodd(X) :- object(X), \\+ same_colour(X, _).\n"),)

of_objects = st.fixed_dictionaries(dict.fromkeys(OBJECTS, st.integers(0, 2)))
looks = st.fixed_dictionaries(dict.fromkeys(("colour", "shape"), of_objects))
pairs = st.permutations(OBJECTS).map(lambda names: names[:2])


def program(scene: Looks) -> str:
    """As an exporter writes it: objects in a row, alike where their numbers are near on an axis."""
    lines = [f"object({name}). position({name}, {i * 12}.0)." for i, name in enumerate(OBJECTS)]
    for axis, attribute in (("r0", "colour"), ("r1", "shape")):
        lines += [f"coordinate({axis}, {name}, {scene[attribute][name]}.0)." for name in OBJECTS]
        lines.append(f"same_{attribute}(X, Y) :- near({axis}, X, Y).")
        lines.append(f"confidence(same_{attribute}(X, Y), 0.9) :- near({axis}, X, Y).")
    lines += [f"colour({name}, c{scene['colour'][name]})." for name in OBJECTS if scene["colour"][name] != NEW]
    lines.append("colour(none, none) :- fail.")
    lines.append("near(R, X, Y) :- object(X), object(Y), X \\== Y, coordinate(R, X, A), coordinate(R, Y, B), A =:= B.")
    lines.append("same(X, Y) :- near(r0, X, Y), near(r1, X, Y).")
    lines.append("left_of(X, Y) :- position(X, A), position(Y, B), A < B.")
    return "\n".join(lines)


def found(engine: Engine, scene: Looks, goal: str) -> list[dict[str, object]]:
    return [answer.bindings for answer in engine.ask(program(scene), goal, rules=RULES).answers]


@settings(max_examples=25)
@given(looks, pairs, st.sampled_from(["colour", "shape", None]), st.booleans())
def test_a_world_is_as_if_the_scene_had_been_so(
    engine: Engine, scene: Looks, pair: list[str], attribute: str | None, alike: bool
) -> None:
    """Also in the order of its answers."""
    first, second = pair
    concerned = [attribute] if attribute else list(scene)
    fact = f"same_{attribute}({first}, {second})" if attribute else f"same({first}, {second})"
    if not alike:
        fact = f"\\+ {fact}"
    holds = all(scene[each][first] == scene[each][second] for each in concerned)
    changed = {each: dict(values) for each, values in scene.items()}
    if holds != alike:
        for each in concerned:
            changed[each][second] = scene[each][first] if alike else NEW
    note(fact)
    told = engine.suppose(program(scene), [fact], ALL, rules=RULES)
    assert [answer.bindings for answer in told.before.answers] == found(engine, scene, ALL)
    assert [answer.bindings for answer in told.after.answers] == found(engine, changed, ALL)
    assert bool(told.changes) == (holds != alike)


@settings(max_examples=25)
@given(looks, pairs, st.sampled_from(["same", "same_colour"]))
def test_least_changes_are_all_the_least_ones(engine: Engine, scene: Looks, pair: list[str], predicate: str) -> None:
    """Beside what every choice of one or two changes makes of it."""

    def holds(looks: Looks) -> bool:
        attributes = list(looks) if predicate == "same" else ["colour"]
        return all(looks[each][pair[0]] == looks[each][pair[1]] for each in attributes)

    told = engine.least_changes(program(scene), f"{predicate}({', '.join(pair)})", limit=1000)
    single = [
        (attribute, name, value)
        for attribute, name, value in product(scene, OBJECTS, {*range(3), NEW})
        if value in scene[attribute].values() or value == NEW
        if value != scene[attribute][name]
        if value != NEW or list(scene[attribute].values()).count(scene[attribute][name]) > 1
    ]
    ways: set[frozenset[tuple[str, str, int]]] = set()
    for size in (1, 2):
        for changes in combinations(single, size):
            changed = {each: dict(values) for each, values in scene.items()}
            for number, (attribute, name, value) in enumerate(changes):
                changed[attribute][name] = value + number if value == NEW else value
            if len({change[:2] for change in changes}) == size and holds(changed) != holds(scene):
                ways.add(frozenset(changes))
        if ways:
            break
    assert told.wanted != holds(scene)
    assert ways == {
        frozenset((c.attribute, c.object, NEW if c.like is None else scene[c.attribute][c.like]) for c in changes)
        for changes in told.least
    }


VALUES = {"colour": (0, 0, 1, 1, 2), "shape": (0, 1, 0, 1, 0)}
SCENE: Looks = {name: dict(zip(OBJECTS, own, strict=True)) for name, own in VALUES.items()}


def test_what_follows_is_consistent(engine: Engine) -> None:
    """Sameness is transitive, who takes a colour loses the old one, and both facts and proofs say so."""
    facts = ["same_colour(ob_4, ob_0), same_colour(ob_2, ob_0)", "\\+ same_shape(ob_0, ob_2)"]
    told = engine.suppose(program(SCENE), facts, "same_colour(ob_2, X)", rules=RULES)
    assert [answer.bindings["X"] for answer in told.after.answers] == ["ob_0", "ob_4"]
    assert told.after.answers[0].why.source == "the supposition"
    assert told.after.answers[0].confidence is None
    pairs = ("same(ob_0, ob_4)", *(f"same_colour({pair})" for pair in ("ob_0, ob_2", "ob_0, ob_4", "ob_2, ob_4")))
    assert told.true == pairs
    assert "same_colour(ob_0, ob_1)" in told.false
    assert told.to_json()["changes"] == CASES["requests"]
    # And nothing of it is left.
    assert found(engine, SCENE, "same_colour(ob_2, X)") == [{"X": "ob_3"}]


@pytest.mark.parametrize(("facts", "changes"), CASES["together"])
def test_facts_are_supposed_together(engine: Engine, facts: list[str], changes: list[list[str]]) -> None:
    told = engine.suppose(program(SCENE), facts, "same_colour(X, Y)")
    assert [[change.object, *filter(None, [change.like])] for change in told.changes] == changes
    pairs = {(answer.bindings["X"], answer.bindings["Y"]) for answer in told.after.answers}
    for fact in facts:
        one, other = fact[-11:-1].split(", ")
        assert ((one, other) in pairs) == (not fact.startswith("\\+"))


def test_parts_and_what_is_no_object(engine: Engine) -> None:
    text = """
        object(a). object(b). part(p). part_of(p, b). background(g). colour(a, red). colour(b, blue). colour(p, white).
        colour(g, green). same_colour(_, _) :- fail.
    """
    told = engine.suppose(text, ["same_colour(a, b)"], "colour(X, C)")
    after = [(answer.bindings["X"], answer.bindings["C"]) for answer in told.after.answers]
    assert after == [("a", "red"), ("b", "red"), ("g", "green")]  # of b's part nobody knows


def test_rules_keep_their_constraints_and_names(engine: Engine) -> None:
    rules = [Rules("r", ":- use_module(library(clpfd)).\nmany(N) :- N #> 1, N #< 3, same(Here, _), object(Here).\n")]
    told = engine.suppose(program(SCENE), ["same(ob_0, ob_1)"], "many(N)", rules=rules, limit=1)
    assert [answer.bindings for answer in told.after.answers] == [{"N": 2}]
    assert "same(Here, _)" in told.after.answers[0].why.clause


@pytest.mark.parametrize(
    ("fact", "goal", "kind", "says"), [*CASES["mistakes"], ("(" * 200, "true", "supposition", "nested")]
)
def test_mistakes(engine: Engine, fact: str, goal: str, kind: str, says: str) -> None:
    with pytest.raises(SymbolicError) as caught:
        engine.suppose(program(SCENE), [fact], goal)
    assert kind_of(caught.value) == kind
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_search_ends_with_its_time() -> None:
    """And the engine is asked on."""
    objects = " ".join(f"object(o{i}). same_colour(o{i}, o{i + 1})." for i in range(40))
    with Engine(time_limit=0.5) as engine:
        with pytest.raises(TimeLimitError):
            engine.least_changes(objects, "length(L, 300000), msort(L, _), fail")
        assert len(engine.ask(objects, "object(X)").answers) == 40
