"""The claims of the paper beside what was found, each with a plain yes or no."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from predinet_prolog.experiments.configurations import Results
from predinet_prolog.experiments.pages import markdown
from predinet_prolog.experiments.plans import Plan

HANGS = "hangs on one run"


@dataclass(frozen=True)
class Claim:
    """One sentence of the paper, put to the test."""

    paper: str
    """What it says, and where."""
    ours: str
    """What was found, in numbers."""
    test: str
    """What counts as yes."""
    holds: bool | None
    """Whether it is so; None while too little was run to tell."""
    without: Sequence[str] = ()
    """The baselines that it speaks of and that are not trained yet."""
    hangs: bool = False
    """Whether the verdict hangs on one run: see `weigh`."""

    @property
    def verdict(self) -> str:
        """`yes` or `no`, whether it hangs on one run, and what is missing."""
        if self.holds is None:
            return "not known yet"
        text = ("**yes**" if self.holds else "**no**") + (f" ({HANGS})" if self.hangs else "")
        return text + (f", without the {' and the '.join(self.without)}" if self.without else "")


def weigh(judge: Callable[[Results, Plan], list[Claim]], results: Results, plan: Plan) -> list[Claim]:
    """What `judge` finds, every verdict tried again without each single run of each configuration: one that is then
    another, or none, hangs on that run."""
    claims = judge(results, plan)
    for name, result in results.items():
        for run in range(result.runs if result.done else 0):
            fewer = result.without(run)
            without = {**results, name: fewer} if fewer else {key: results[key] for key in results if key != name}
            claims = [
                replace(claim, hangs=claim.hangs or claim.holds != other.holds)
                for claim, other in zip(claims, judge(without, plan), strict=True)
            ]
    return claims


def claims_section(claims: Sequence[Claim]) -> str:
    """The part of an experiment's page about `claims`: a table of them, and what differs."""
    rows = [(claim.paper, claim.ours, claim.test, claim.verdict) for claim in claims]
    table = markdown(("The paper says", "Ours", "What counts as yes", "So?"), rows)
    hanging = f"\n*{HANGS.capitalize()}*: without one of the runs the verdict is another, or there is none.\n"
    table += hanging if any(claim.hangs for claim in claims) else ""
    return f"## The paper's claims\n\n{table}\n{differences(claims)}"


def differences(claims: Sequence[Claim]) -> str:
    """A sentence that names the claims with a no, or says that there are none; nothing while none can be judged."""
    verdicts = [claim.holds for claim in claims]
    if all(holds is None for holds in verdicts):
        return ""
    if all(verdicts):
        return "Nothing differs from the paper by these tests.\n"
    if False not in verdicts:
        return "Nothing that can be judged yet differs from the paper by these tests.\n"
    wrong = [claim.paper for claim in claims if claim.holds is False]
    return "Not confirmed here:\n\n" + "".join(f"- {paper}\n" for paper in wrong)
