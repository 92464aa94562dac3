"""Learned predicates as truth values that gradients flow through: clauses of a program, soft; spatial ones as they are.

A clause says that two things lie at most a threshold apart on the axes of some relations. Its truth value falls from
nearly 1 to nearly 0 with their largest distance there, and is one half at the threshold. `logic.py` has what rules are
made of such truth values with.

Shapes: B images of S × S pixels, a grid of s × s windows (n = s²), j relations.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from predinet_prolog.bridge.clauses import section_of
from predinet_prolog.bridge.compiled import Clauses
from predinet_prolog.bridge.definitions import Definition, read_grounding
from predinet_prolog.bridge.errors import BridgeError
from predinet_prolog.bridge.resolution import Resolution
from predinet_prolog.neural.checkpoint import Model
from predinet_prolog.neural.config import NetworkConfig
from predinet_prolog.neural.network import RelationsNetwork

TINY = 1e-30
"""A smaller share of the threshold counts as this: its logarithm is finite."""
LIT, SHOWS = 0.25, 0.1
"""A pixel is lit that differs from the ground by more than LIT of what the most different one does: noise is not, and
things a third as bright as the brightest are. A cell shows a thing if more than SHOWS of its pixels are lit."""


@dataclass(frozen=True)
class SoftPredicate:
    """The truth value of things whose largest distance on the `relations` is D:

    doubt + (1 - 2·doubt) / (1 + (D / threshold)^steepness)
    """

    relations: tuple[int, ...]
    threshold: float
    """The distance where the truth value is one half, > 0."""
    steepness: float
    """Odds fall by this power of the distance, > 0."""
    doubt: float = 0.0
    """How far the truth value stays from 0 and 1, less than one half."""
    beyond: tuple[float, float] | None = None
    """Steepness and doubt beyond the threshold, where they are others."""
    slack: float = 0.0
    """What the threshold grows by for each unit of noise_level."""
    parts: tuple["SoftPredicate", ...] = ()
    """What it implies: no truth value is above theirs."""

    def __call__(self, coordinates: Tensor, noise_level: Tensor | float = 0.0) -> Tensor:
        """Truth values (B, n, n) of all pairs of what lies at `coordinates` (B, n, j) on the relations' axes, in images
        of that noise level, one number or (B,)."""
        places = coordinates[..., list(self.relations)]
        distance = (places[:, :, None] - places[:, None]).abs().amax(-1)
        threshold = self.threshold + self.slack * torch.as_tensor(noise_level).to(places).view(-1, 1, 1)
        # By logarithms: a power of a distance far beyond the threshold has no finite gradient.
        logarithm = (distance / threshold).clamp_min(TINY).log()
        steepness, doubt = self.beyond or (self.steepness, self.doubt)
        # Either summand is one half on the other's side.
        near = self.doubt + (1 - 2 * self.doubt) * (-self.steepness * logarithm.clamp_max(0)).sigmoid()
        far = doubt + (1 - 2 * doubt) * (-steepness * logarithm.clamp_min(0)).sigmoid()
        alone = near + far - 0.5
        return torch.stack([alone, *(part(coordinates, noise_level) for part in self.parts)]).amin(0)


class SoftRelations(nn.Module):
    """Encoder and relations of a network, and what `predicates` say of the things in its windows.

    The things of an image are counted by the windows that show them: every tensor has all n windows, and nothing is
    true of those that show nothing.
    """

    def __init__(self, network: RelationsNetwork, predicates: Mapping[str, SoftPredicate]) -> None:
        super().__init__()
        self.encoder, self.predinet = network.encoder, network.predinet
        self.predicates = dict(predicates)

    def forward(self, images: Tensor, objects: Tensor, noise_level: Tensor | float = 0.0) -> dict[str, Tensor]:
        """By predicate, the truth values (B, n, n), 0–1, of all pairs of different `objects` in `images`
        (B, S, S, 3), 0–255; 0 of other pairs.

        `objects` (B, n) is 1 or True for windows that show a thing, as `cells_that_show` finds them. `noise_level`, one
        number or (B,), is 0 for clean images.
        """
        coordinates = self.predinet.coordinates(self.encoder.features(self.encoder.foreground(images)))
        there = objects.to(coordinates)
        pairs = there[:, :, None] * there[:, None] * (1 - torch.eye(there.shape[1]).to(coordinates))
        return {name: pairs * predicate(coordinates, noise_level) for name, predicate in self.predicates.items()}

    @torch.no_grad()
    def cells_that_show(self, images: Tensor) -> Tensor:
        """Which windows of `images` (B, S, S, 3), 0–255, show a thing: (B, n), 0 or 1.

        Nothing is learned for it: things are taken to lie in cells, every second window of a row or column, and the
        pixels tell which are not empty.
        """
        light = self.encoder.foreground(images).abs().amax(3)
        lit = (light > LIT * light.amax((1, 2), keepdim=True)).to(light)
        size, stride = self.encoder.filter_size, self.encoder.stride
        share = lit.unfold(1, size, stride).unfold(2, size, stride).mean((3, 4))  # (B, s, s)
        objects = torch.zeros_like(share)
        objects[:, ::2, ::2] = (share[:, ::2, ::2] > SHOWS).to(share)
        return objects.flatten(1)


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
    indicators = {(clause.head.name, len(clause.head.arguments)) for clause in section_of("spatial")}
    resolution = Resolution(facts, Clauses(section_of("spatial")), tabled=indicators)
    truth = {}
    for name, arity in sorted(indicators):
        truth[name] = torch.zeros((config.windows,) * arity)
        truth[name][tuple(torch.from_numpy(column).long() for column in resolution.solve(name, arity))] = 1
    return truth
