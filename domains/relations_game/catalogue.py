"""The kinds of objects and the tasks, one list each."""

from predinet_prolog.domains.task import Task

KINDS: tuple[str, ...] = ("pentos", "hexos", "stripes")
"""The object sets."""
_PATTERNS = (("row", 3), ("column", 3), ("row", 5), ("column", 5))

_TASKS = (
    Task("same", 2, 1, KINDS, "the two objects are identical"),
    Task("between", 2, 1, KINDS, "the three objects are in line and the outer two are identical", "1task_between"),
    Task("occurs", 2, 1, KINDS, "the top object occurs in the bottom row"),
    Task("xoccurs", 2, 1, KINDS, "the top object occurs once in the bottom row and the other two objects there differ"),
    Task(
        "colour_and_or_shape",
        4,
        1,
        KINDS[:2],
        "the two objects are: 0 identical, 1 of the same colour only, 2 of the same shape only, 3 different in both",
    ),
    *(
        Task(
            f"{line}_patterns_{questions}",
            2,
            questions,
            KINDS,
            f"the three objects of the {line} have the pattern that the task id asks for, of "
            + ", ".join(("ABA", "AAB", "ABB", "AAA", "ABC")[:questions]),
            f"{questions}task_{line[:3]}_patts",
        )
        for line, questions in _PATTERNS
    ),
    Task(
        "match_rows",
        2,
        1,
        KINDS,
        "the objects of the top and of the bottom row have the same pattern",
        "1task_match_patt",
    ),
    Task("scatter", 2, 1, KINDS, "some two of the objects are identical"),
)
CATALOGUE = {task.name: task for task in _TASKS}
"""Every task by its name."""
