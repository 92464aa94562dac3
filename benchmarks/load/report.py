"""What was measured, as a table, and whether it is what is wanted."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from benchmarks.load.measuring import Phase, Tally, Verdict
from benchmarks.shared import machine, print_head, print_row

COLUMNS = ("what", "clients", "requests/s", "p50 ms", "p95 ms", "p99 ms", "max ms", "refused", "lost", "wrong")
NEW, KNOWN, SAME, OTHERS = (
    "(a) new image + query",
    "(b) known scene + query",
    "(c) 1 % hostile, same clients",
    "(c) 1 % hostile, others",
)
PROCESS, MACHINE_QUERIES = "(p1) swipl process per query", "(p2) MQI, unix socket"
RATE, RATIO, KEPT = 1000, 20, 0.5  # what is wanted of (b), of (b) : (p1), and of (c) : (b)


class Report:
    """Prints each measurement as a row of one table as soon as it is there; `print_aims` closes it."""

    def __init__(self, **about: object) -> None:
        self._phases: dict[tuple[str, int], Phase] = {}
        self._about = machine() | about
        print("; ".join(f"{name.replace('_', ' ')}: {value}" for name, value in self._about.items()))
        print_head(*COLUMNS)

    def add(self, what: str, clients: int, phase: Phase) -> None:
        """Prints one measurement; what hostile clients got follows the table."""
        self._phases[what, clients] = phase
        tally = phase.honest
        print_row(
            what,
            clients,
            f"{tally.rate:,.1f}" if tally.rate < 100 else f"{tally.rate:,.0f}",
            *(f"{tally.percentile(share):.2f}" for share in (0.5, 0.95, 0.99, 1)),
            *(tally.verdicts[verdict] for verdict in (Verdict.REFUSED, Verdict.LOST, Verdict.WRONG)),
        )

    @property
    def amiss(self) -> bool:
        """Whether an honest request was lost, or answered wrongly."""
        return any(p.honest.verdicts[v] for p in self._phases.values() for v in (Verdict.LOST, Verdict.WRONG))

    def print_details(self) -> None:
        """What the hostile requests got, where processor time went, and the first answers that were amiss."""
        print()
        for (what, clients), phase in self._phases.items():
            notes = []
            if hostile := phase.tallies.get("hostile"):
                notes.append(_hostile(phase.honest, hostile))
            if phase.cpu:
                notes.append("CPU µs a request: " + ", ".join(f"{who} {us:,.0f}" for who, us in phase.cpu.items()))
            if len(phase.honest.said) > 1:
                notes.append("honest requests got " + _counts(phase.honest.said))
            for note in notes:
                print(f"{what}, {clients}: {note}")
            for tally in phase.tallies.values():
                for example in tally.examples:
                    print(f"  amiss: {example}")

    def print_aims(self) -> None:
        """Whether each aim is met. A line each; an aim of what was not measured says so."""
        print()
        for aim, (met, found) in self._aims().items():
            print(f"{aim}: {'not measured' if met is None else 'met' if met else 'NOT met'}{found and f' ({found})'}")

    def to_json(self) -> dict[str, object]:
        """All figures."""
        return {
            "about": self._about,
            "measurements": [
                {"what": what, "clients": clients, **phase.to_json()} for (what, clients), phase in self._phases.items()
            ],
            "aims": {aim: {"met": met, "found": found} for aim, (met, found) in self._aims().items()},
        }

    def _aims(self) -> dict[str, tuple[bool | None, str]]:
        known = self._rates(KNOWN)
        many = {clients: rate for clients, rate in known.items() if clients >= 8}
        process = self._rates(PROCESS)
        # More processes at once than cores give no more answers: more clients are compared with the best there is.
        ratios = {
            clients: rate / (process[clients] if clients in process else max(process.values()))
            for clients, rate in known.items()
            if process
        }
        kept = {
            f"{way.partition(', ')[2]} {clients}": rate / known[clients]
            for way in (SAME, OTHERS)
            for clients, rate in self._rates(way).items()
            if clients in known
        }
        return {
            f"(b) at least {RATE:,} requests/s at 8 or more clients": _judged(many, RATE, ",.0f", any),
            f"(b) at least {RATIO} times (p1)": _judged(ratios, RATIO, ".1f", all),
            f"(c) at least {KEPT:g} of (b)": _judged(kept, KEPT, ".2f", all),
            "no honest request lost or answered wrongly": (not self.amiss, "") if self._phases else (None, ""),
        }

    def _rates(self, what: str) -> dict[int, float]:
        return {clients: phase.honest.rate for (name, clients), phase in self._phases.items() if name == what}


def _judged(
    found: Mapping[Any, float], wanted: float, form: str, need: Callable[[Iterable[bool]], bool]
) -> tuple[bool | None, str]:
    if not found:
        return None, ""
    return need(value >= wanted for value in found.values()), ", ".join(f"{k}: {v:{form}}" for k, v in found.items())


def _hostile(honest: Tally, hostile: Tally) -> str:
    sent = sum(hostile.verdicts.values())
    share = sent / max(1, sent + sum(honest.verdicts.values()))
    times = f"p50 {hostile.percentile(0.5):.0f} ms, p99 {hostile.percentile(0.99):.0f} ms"
    return f"{sent} hostile requests ({share:.2%}) got {_counts(hostile.said)}; {times}"


def _counts(said: Mapping[str, int]) -> str:
    return ", ".join(f"{count} × {what}" for what, count in sorted(said.items(), key=lambda item: -item[1]))
