"""What became of the soak test's requests."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from time import perf_counter

_EXAMPLES = 20


@dataclass
class Outage:
    """When the server itself is dead on purpose."""

    start: float = float("inf")
    end: float = float("inf")
    over: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the scenes have been looked for, too; nobody starts anything before."""

    def hit(self, sent: float) -> bool:
        """Whether a request that was sent then and failed now fell into it."""
        return perf_counter() >= self.start and sent <= self.end

    def during(self, moment: float) -> bool:
        """Whether it lasted, or lasts, at that moment."""
        return self.start <= moment <= self.end


@dataclass
class Ledger:
    """What was asked and what came of it."""

    requests: Counter[str] = field(default_factory=Counter)
    """By kind."""
    lost: int = 0
    """No answer, or a 5xx that is no 503 with Retry-After."""
    wrong: int = 0
    refused: int = 0
    """429, or 503 with Retry-After; asked again later."""
    retried: int = 0
    """Sent again because the server itself was dead."""
    hostile: Counter[str] = field(default_factory=Counter)
    """What hostile queries got."""
    examples: list[str] = field(default_factory=list)

    def amiss(self, what: str, detail: str) -> None:
        """Keeps the first few cases for the report."""
        if len(self.examples) < _EXAMPLES:
            self.examples.append(f"{what}: {detail}"[:400])
