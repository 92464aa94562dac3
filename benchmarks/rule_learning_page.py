"""Puts what was measured into docs/rule-learning.md: each table between the marks of its name.

python benchmarks/rule_learning_page.py
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import rule_learning, rule_learning_asking, rule_learning_peers
from benchmarks.rule_learning import GOOD, HEAD, PARTS, Result, rows, shown

PAGE = Path(__file__).parents[1] / "docs" / "rule-learning.md"


def main() -> None:
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def filled(page: str) -> str:
    """The page with its tables as they were measured; KeyError for a mark that is none."""
    results = list(rule_learning.read(rule_learning.FIGURES).values())
    tables: dict[str, Callable[[], Iterator[str]]] = {
        **{part: partial(learned, part, results) for part in PARTS},
        "clauses": lambda: clauses(results, "tasks", "exclusive"),
        "clauses of questions": lambda: clauses(results, "questions"),
        "asking": lambda: asking(json.loads(rule_learning_asking.FIGURES.read_text())),
        "networks": lambda: networks(json.loads(rule_learning_peers.FIGURES.read_text())),
        "failures": lambda: failures(json.loads(rule_learning_peers.FIGURES.read_text()), results),
    }

    def fill(mark: re.Match[str]) -> str:
        return f"<!-- {mark[1]} -->\n{chr(10).join(tables[mark[1]]())}\n<!-- end -->"

    return re.sub(r"<!-- (?!end)([a-z ]+) -->\n.*?<!-- end -->", fill, page, flags=re.DOTALL)


def table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> Iterator[str]:
    """A Markdown table."""
    for line in (head, ["---"] * len(head), *lines):
        yield f"| {' | '.join(line)} |"


def learned(part: str, results: Sequence[Result]) -> Iterator[str]:
    """That of a part of the benchmark."""
    lines = list(rows(part, results))
    return table(["labelled boards", *HEAD], lines)


def clauses(results: Sequence[Result], *parts: str) -> Iterator[str]:
    """What was learned most often of each task from enough boards."""
    for part in parts:
        for task in dict.fromkeys(each.case.task for each in results if each.case.part == part):
            own = [each for each in results if (each.case.part, each.case.task) == (part, task)]
            good = [each for each in own if each.least >= GOOD]
            if not good:
                continue
            (rules, often), *_ = Counter(each.rules for each in good).most_common(1)
            least = min(each.case.n for each in good if each.rules == rules)
            name = f"{task} ({part})" if part == "exclusive" else task
            yield f"    % {name}: {often} of {len(own)} searches, from {least} boards"
            yield from (f"    {line}".rstrip() for line in rules.splitlines())
            yield ""


def asking(found: Sequence[dict[str, Any]]) -> Iterator[str]:
    """That of the labels needed."""
    tasks = dict.fromkeys(row["task"] for row in found)
    lines = [[f"`{task}`", *rule_learning_asking.means(found, task)] for task in tasks]
    return table(["labels needed for ≥ .99", *rule_learning_asking.HOW], lines)


def networks(found: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """That of the networks over R*."""
    numbers = [*rule_learning_peers.NUMBERS, rule_learning_peers.MORE]
    lines = []
    for task in dict.fromkeys(row["task"] for row in found):
        cells = []
        for n in numbers:
            own = [row for row in found if (row["task"], row["n"]) == (task, n)]
            worst = [
                min((rule_learning_peers.least(row) for row in own if row["peer"] == peer), default=None)
                for peer in rule_learning_peers.NETWORKS
            ]
            cells.append(" / ".join(map(shown, worst)))
        lines.append([f"`{task}`", *cells])
    return table(["R*: logistic regression / perceptron", *map(str, numbers)], lines)


def failures(found: Sequence[Mapping[str, Any]], results: Sequence[Result]) -> Iterator[str]:
    """That of learning from failures, beside rules from the same boards."""
    lines = []
    for key in dict.fromkeys((row["task"], row["peer"]) for row in found if "tested" in row):
        own = [row for row in found if (row["task"], row["peer"]) == key]
        rules = [
            each for each in results if (each.case.part, each.case.task, each.case.n) == ("tasks", key[0], own[0]["n"])
        ]
        rules = [each for each in rules if each.case.seed in {row["seed"] for row in own}]
        lines.append(
            [
                f"`{key[0]}`, {key[1].partition(', ')[2]}",
                shown(min(map(rule_learning_peers.least, own))),
                f"{max(sum(row['tested'].values()) for row in own):,}",
                f"{max(row['seconds'] for row in own):.1f}"
                + ("" if all(row["finished"] for row in own) else ", cut off"),
                shown(min(each.least for each in rules)),
                f"{max(each.seen for each in rules):,}",
                f"{max(each.seconds for each in rules):.1f}",
            ]
        )
    head = ["50 boards", "failures", "bodies tested", "s", "rules", "conjunctions", "s"]
    return table(head, lines)


if __name__ == "__main__":
    main()
