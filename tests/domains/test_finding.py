"""Domains are found by name, and by the tasks they have; others may have been added."""

from collections.abc import Iterator
from importlib import metadata

import pytest

from predinet_prolog.domains import GROUP, DomainError, domain_of, load_domain
from tests.dots import DOMAIN


@pytest.fixture(autouse=True)
def _dots(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Another domain, as an entry point would add it."""
    dots = metadata.EntryPoint("dots", "tests.dots:DOMAIN", GROUP)
    monkeypatch.setattr(metadata, "entry_points", lambda group: [dots])
    yield
    load_domain.cache_clear()


def test_a_task_tells_its_domain() -> None:
    assert domain_of("between").name == "relations_game"
    assert domain_of("alike") is load_domain("dots") is DOMAIN


def test_what_is_not_there_is_said_with_what_is() -> None:
    with pytest.raises(DomainError, match="no domain chess: there are relations_game, dots"):
        load_domain("chess")
    with pytest.raises(DomainError, match="unknown task 'nope'; there are same, between"):
        domain_of("nope")
