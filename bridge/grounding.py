"""Grounding: definitions of named predicates for a model, fitted to drawn pictures whose truth is known.

Both kinds of models are grounded by one fit (`bridge.fitting`); they differ in the pictures that they are shown. Boards
are of the domain's first kind of things, which the model was trained on: one that was trained on corrupted images is
grounded on clean and on corrupted ones; one that knows clean images alone, on those: it does not bear the others, and
thresholds that make room for them would spoil what it can. Pictures of any size are of the second kind: how near lie
things of one shape that no training showed.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from predinet_prolog.bridge.colours import mean_colours
from predinet_prolog.bridge.definitions import ColourErrors, Grounding
from predinet_prolog.bridge.errors import BridgeError
from predinet_prolog.bridge.fitting import FitSettings, Sighting, fit_grounding, sighted, too_few
from predinet_prolog.bridge.perceiving.perceiver import perceiver_of
from predinet_prolog.domains.annotations import LOOK
from predinet_prolog.domains.data import Corruption
from predinet_prolog.neural.checkpoint import Model as BoardModel
from predinet_prolog.neural.model import Model

SCENES = 4_000
"""Boards that definitions are fitted to, and again those of every kind that judge, clean and corrupted."""
FIT_SEED, JUDGE_SEED = 2_000_003, 2_000_029
"""Pictures for grounding come from seeds that neither training nor its tests use."""
BOARDS = FitSettings(rates=(0.4,), grains=(0.0,), both_sides=False)
"""Alike things of different colour or shape lie apart by little in clean boards and by about three times as much at a
noise_level of 5, where everyday corruptions lead. They are of one size."""
PICTURES = 100
"""Of each task of a domain, that a model is grounded on, and again that it is judged on."""
LEAST_FRESH = 0.85
"""A predicate that is right in a smaller share of pairs (balanced) of things of fresh families is left out. This counts
pictures of all tasks, those as spoilt as any and touching things too: of plain ones it says far more."""


def ground(model: Model, report: Callable[[str], None] = lambda step: None) -> Grounding:
    """Learns every predicate for `model` from pictures of its own domain, and measures it.

    Nothing is chosen on a kind of things that judges. `report` is told each of the `steps(model)`. Raises BridgeError
    if the model sees no pairs of things to learn from.
    """
    return _ground_boards(model, report) if isinstance(model, BoardModel) else _ground_pictures(model, report)


def steps(model: Model) -> int:
    """How many steps `ground` reports."""
    return 1 + len(model.domain.kinds) if isinstance(model, BoardModel) else 3 * len(model.domain.tasks)


def _ground_boards(model: BoardModel, report: Callable[[str], None]) -> Grounding:
    kinds, corruptions = model.domain.kinds, model.domain.corruptions
    report(f"looking at {kinds[0]}")
    fitted = sighted_for_fit(model)
    clean, corrupted, off, off_corrupted = {}, {}, {}, {}
    for kind in kinds:
        report(f"evaluating on {kind}")
        clean[kind], off[kind] = _boards(model, kind, JUDGE_SEED, (None,))
        if corruptions:
            corrupted[kind], off_corrupted[kind] = _boards(model, kind, JUDGE_SEED, corruptions)
    grounding = fit_grounding(
        model, fitted, fitted_on=kinds[0], judged=clean, corrupted=corrupted, words={}, settings=BOARDS
    )
    return replace(
        grounding,
        augmented=model.training.augmented,
        attributes=model.domain.attributes,
        colours=ColourErrors(off, off_corrupted),
    )


def sighted_for_fit(model: BoardModel) -> list[Sighting]:
    """What definitions of a model of boards are fitted to. Raises BridgeError if it sees no pairs of objects."""
    domain = model.domain
    corruptions = (None, *domain.corruptions) if model.training.augmented else (None,)
    fitted, _ = _boards(model, domain.kinds[0], FIT_SEED, corruptions)
    if any(too_few(fitted, attribute) for attribute in (LOOK, *domain.attributes)):
        raise BridgeError(
            f"the model {model.name} too seldom sees two objects to be grounded: it may have to be trained longer"
        )
    return fitted


def _boards(
    model: BoardModel, kind: str, seed: int, corruptions: Sequence[Corruption | None]
) -> tuple[list[Sighting], float]:
    """What is seen of things of that kind, in as many boards of each of the corruptions; None is a clean one. And how
    far the colours of what is seen are off in the mean: levels of 255, over red, green and blue. Their truth is what
    the clean board shows within the true box."""
    domain, sightings, errors = model.domain, list[Sighting](), []
    for number, corruption in enumerate(corruptions):
        # What spoils pictures does not change what they show: the last one's colours are those of the first.
        drawings = [
            domain.generate(
                domain.free_task, SCENES // len(corruptions), kind=kind, seed=(seed, number), spoilt=spoiling
            )
            for spoiling in dict.fromkeys((None, corruption))
        ]
        clean, drawn = drawings[0], drawings[-1]
        assert clean.truth is not None, "drawn boards have their truth"
        assert drawn.truth is not None
        colours = mean_colours(clean.images, clean.truth.image, clean.truth.boxes)
        for picture, scene in enumerate(perceiver_of(model).perceive(list(drawn.images))):
            for sighting in sighted(scene, drawn.truth, picture, number):
                errors.append(np.abs(sighting.colours - colours[sighting.things]))
                looks = sighting.attributes.get(LOOK, next(iter(sighting.attributes.values())))
                sightings.append(sighting._replace(attributes={LOOK: looks, **sighting.attributes}))
    return sightings, round(float(np.concatenate(errors).mean()), 1) if errors else np.nan


def _ground_pictures(model: Model, report: Callable[[str], None]) -> Grounding:
    """From pictures of all tasks together: clean, spoilt, crowded. Judged on fresh pictures of the first kind, which
    the model was trained on, and of the second; this one decides what is trusted, and no other kind is looked at."""
    taught, fresh = model.domain.kinds[:2]
    fitted = _pictures(model, fresh, FIT_SEED, report)
    judged = {kind: _pictures(model, kind, JUDGE_SEED, report) for kind in (taught, fresh)}
    grounding = fit_grounding(model, fitted, fitted_on=fresh, judged=judged, corrupted={}, words={}, least=LEAST_FRESH)
    return replace(grounding, trusted_on=fresh)


def _pictures(model: Model, kind: str, seed: int, report: Callable[[str], None]) -> list[Sighting]:
    """What is seen in pictures of every task with things of that kind."""
    perceiver, sightings = perceiver_of(model), []
    for number, task in enumerate(model.domain.tasks):
        report(f"looking at {task}, {kind}")
        drawn = model.domain.generate_annotated(PICTURES, seed=(seed, number), kind=kind, task=task)
        assert drawn.truth is not None, "drawn pictures have their truth"
        for index, picture in enumerate(drawn.pictures):
            (scene,) = perceiver.perceive([picture])
            sightings += sighted(scene, drawn.truth, index)
    return sightings
