"""Tables of cards, drawn with their truth: where each lies, its colour, number, shape and fill, and whether three of
them are a set."""

from collections.abc import Mapping

import numpy as np

from predinet_prolog.domains.annotations import of_pictures
from predinet_prolog.domains.cards.deck import ATTRIBUTES, DECK, SETS, dealt, hand
from predinet_prolog.domains.cards.drawing import STYLES, draw_sheet, draw_table
from predinet_prolog.domains.domain import Annotated, Integers, Picture, Pictures, Seed, Task

SET, NONE = "set", "none"
"""Labels of hands."""
FEWEST, MOST = 3, 12
"""Cards on a table."""
_SUMMARIES = {
    "table": "three to twelve cards, all different; nothing is asked",
    "full_table": "twelve cards, all different; nothing is asked",
    "hand": "five cards contain a set",
    "trio": "three cards are a set; of those that are none, half miss it by one value",
    "lesson": "tables without attributes, and sheets of what cards show: what a recogniser is trained on",
}


class Cards(Pictures):
    """Cards of SET on a table."""

    name = "cards"
    picture = Picture(0, 0)
    attributes: tuple[str, ...] = tuple(ATTRIBUTES)
    kinds: tuple[str, ...] = tuple(STYLES)
    most_objects = MOST
    tasks: Mapping[str, Task] = {name: Task(name, 2, 1, tuple(STYLES), text) for name, text in _SUMMARIES.items()}
    free_task = "table"
    remedy = "show cards that lie apart on a darker table"
    theory: str | None = "cards"

    def generate_annotated(self, n: int, *, seed: Seed, kind: str | None = None, task: str | None = None) -> Annotated:
        name, style = self.task(task or self.free_task).name, STYLES[kind or self.kinds[0]]
        rng = np.random.default_rng(seed)
        if name == "lesson":
            return _lesson(n, kind or self.kinds[0], rng)
        hands, drawn = [], []
        for number in range(n):
            hands.append(_dealt(name, number, rng))
            drawn.append(draw_table(hands[-1], style, rng))
        columns = dict(zip(ATTRIBUTES, np.concatenate(hands).T, strict=True))
        labels = tuple((SET, NONE)[number % 2] for number in range(n)) if name in ("hand", "trio") else ()
        return of_pictures([one.pixels for one in drawn], [one.cards for one in drawn], columns, ATTRIBUTES, labels)


def _dealt(task: str, number: int, rng: np.random.Generator) -> Integers:
    """(n, 4): the cards of the picture of that number; every other one of a task with labels has a set."""
    match task:
        case "hand":
            return hand(5, rng, contains=number % 2 == 0)
        case "trio":
            cards = DECK[rng.permutation(SETS[rng.integers(len(SETS))])]
            if number % 4 == 1:
                card, attribute = rng.integers(3), rng.integers(4)
                cards[card, attribute] = (cards[card, attribute] + rng.integers(1, 3)) % 3
            elif number % 4 == 3:
                cards = hand(3, rng, contains=False)
            return cards
        case "full_table":
            return dealt(MOST, rng)
    return dealt(int(rng.integers(FEWEST, MOST + 1)), rng)


def _lesson(n: int, kind: str, rng: np.random.Generator) -> Annotated:
    """A quarter tables, whose cards are told without attributes, and sheets of what cards show."""
    pictures, boxes, values = [], [], []
    for number in range(n):
        table = number % 4 == 0
        cards = dealt(int(rng.integers(FEWEST, MOST + 1) if table else rng.integers(4, 10)), rng)
        drawn = (draw_table if table else draw_sheet)(cards, STYLES[kind], rng)
        things = drawn.cards if len(drawn.cards) else drawn.symbols
        pictures.append(drawn.pixels)
        boxes.append(things)
        values.append(np.full((len(things), len(ATTRIBUTES)), -1) if len(drawn.cards) else cards[drawn.owner])
    columns = dict(zip(ATTRIBUTES, np.concatenate(values).T, strict=True))
    del columns["number"]
    return of_pictures(pictures, boxes, columns, ATTRIBUTES)


DOMAIN = Cards()
