"""What a model's programs say, as tensors of truth values: learned predicates soft, spatial ones as they are."""

from collections.abc import Sequence
from copy import deepcopy

import torch
from torch import Tensor

from predinet_prolog.bridge.clauses import SPATIAL
from predinet_prolog.bridge.compiled import Clauses
from predinet_prolog.bridge.definitions import Definition, read_grounding
from predinet_prolog.bridge.errors import BridgeError
from predinet_prolog.bridge.resolution import Resolution
from predinet_prolog.neural.checkpoint import Model
from predinet_prolog.neural.config import NetworkConfig
from predinet_prolog.neural.soft_predicates import SoftPredicate, SoftRelations


def soft_relations(model: Model) -> SoftRelations:
    """The predicates that the model's programs define, as a module with weights of its own, which can be trained.

    Raises BridgeError if the model was never grounded.
    """
    grounding = read_grounding(model)
    if grounding is None:
        raise BridgeError(f"the model {model.name} has no definitions: ground it with `predinet-prolog ground`")
    predicates = {definition.predicate: _soft(definition) for definition in grounding.trusted}
    return SoftRelations(deepcopy(model.network).requires_grad_(True), predicates)


def _soft(definition: Definition) -> SoftPredicate:
    curve, parts = definition.curve, tuple(map(_soft, definition.parts))
    return SoftPredicate(
        definition.relations, curve.threshold, curve.steepness, curve.doubt, curve.beyond, definition.slack, parts
    )


def spatial_relations(config: NetworkConfig) -> dict[str, Tensor]:
    """By predicate, where it holds of things in the windows of such a network, by the clauses of programs: 1 or 0,
    (n, n), or (n, n, n) of three things; an axis for each argument."""
    row, column = torch.arange(config.windows) // config.side, torch.arange(config.windows) % config.side
    windows = range(config.windows)
    facts: dict[str, list[Sequence[float]]] = {
        "object": [windows],
        "position": [windows, (config.stride * column).tolist(), (config.stride * row).tolist()],
        "tolerance": [[config.filter_size / 4]],
    }
    indicators = {(clause.head.name, len(clause.head.arguments)) for clause in SPATIAL}
    resolution = Resolution(facts, Clauses(SPATIAL), tabled=indicators)
    truth = {}
    for name, arity in sorted(indicators):
        truth[name] = torch.zeros((config.windows,) * arity)
        truth[name][tuple(torch.from_numpy(column).long() for column in resolution.solve(name, arity))] = 1
    return truth
