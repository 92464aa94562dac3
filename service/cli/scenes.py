"""Training of networks for pictures of any size, from nothing, on the pictures that a domain draws."""

from collections.abc import Sequence
from pathlib import Path

from predinet_prolog.domains import DomainError, load_domain
from predinet_prolog.domains.domain import Domain
from predinet_prolog.service.cli.progress import following
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.files import writing_to
from predinet_prolog.service.streams import PROGRAM, emit, note


def domain_among(names: Sequence[str]) -> Domain | None:
    """The domain among what is to be trained on whose pictures have any size; None if there is none. UsageError for one
    with others."""
    for name in names:
        try:
            domain = load_domain(name)
        except DomainError:
            continue
        if domain.picture.free:
            if len(names) > 1:
                raise UsageError(f"{name} has pictures of any size: train on it alone")
            return domain
    return None


def train_domain(domain: Domain, folder: Path, *, seed: int, steps: int | None) -> None:
    """Trains a finder and a comparator; `steps` are the finder's, and the comparator's in proportion."""
    from predinet_prolog.neural.glimpses.training import UNFINISHED, GlimpseTraining, train_glimpses

    config = GlimpseTraining(seed=seed)
    if steps is not None:
        config = config.of(steps)
    with following(f"seed {seed}", "steps") as report:
        try:
            with writing_to(folder):
                model = train_glimpses(domain, config, folder, report=report)
        except KeyboardInterrupt:
            if (folder / UNFINISHED).is_dir():
                note(f"stopped; the same command goes on from {folder}")
            raise
    emit(f"{model.path}  (sha256 {model.sha256})\n")
    note(f"now let it name what it sees: {PROGRAM} ground {model.path}")
