"""Functional programs of questions about pictures, as CLEVR gives one with each of its questions, compiled to goals.

A program is a list of nodes, each of which names a function, the nodes before it that are its inputs, and values:

    {"function": "filter_size", "inputs": [0], "value_inputs": ["large"]}

Older files say `type` and `side_inputs`. The last node gives the answer. The goal's predicates are those of the theory
`clevr`, one a function: `filter_size` is filter(size, large, Things, Kept).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from predinet_prolog.quoting.prolog import constant
from predinet_prolog.symbolic.errors import ProgramError

ANSWER = "Answer"
"""The variable that is the last node's value."""
_SIGNATURES: Mapping[str, tuple[int, int]] = {
    "scene": (0, 0),
    **dict.fromkeys(("unique", "count", "exist", "same", "query"), (1, 0)),
    **dict.fromkeys(("filter", "relate"), (1, 1)),
    **dict.fromkeys(("union", "intersect", "equal", "less_than", "greater_than"), (2, 0)),
}
"""Of each function, how many nodes and values go in."""
_OF_ATTRIBUTES = ("filter", "same", "query", "equal")
"""There is one for each attribute: filter_size, filter_color, …"""


def goal_of(program: Sequence[Mapping[str, Any]], name: str = "program") -> str:
    """The goal whose `Answer` is what the functional program gives. Raises ProgramError for what is none: `name` stands
    in it for the file, and the node's number, from 1, for the line."""
    if not program:
        raise ProgramError("a functional program has one node at least", name, 1)
    goals = []
    for number, node in enumerate(program):
        called = str(node.get("function") or node.get("type"))
        inputs, values = node.get("inputs", ()), node.get("value_inputs", node.get("side_inputs", ()))
        function, _, attribute = called.partition("_")
        if function not in _OF_ATTRIBUTES:
            function, attribute = called, ""
        if function not in _SIGNATURES or (function in _OF_ATTRIBUTES and not attribute):
            raise ProgramError(f"no function is called {called}: there are {', '.join(_SIGNATURES)}", name, number + 1)
        if (len(inputs), len(values)) != _SIGNATURES[function] or not all(i in range(number) for i in inputs):
            nodes, constants = _SIGNATURES[function]
            fault = f"{called} takes {nodes} nodes before it and {constants} values, not {inputs} and {values}"
            raise ProgramError(fault, name, number + 1)
        arguments = [constant(text) for text in (attribute if function != "equal" else "", *values) if text]
        arguments += [f"V{index}" for index in inputs]
        arguments.append(ANSWER if number == len(program) - 1 else f"V{number}")
        goals.append(f"{function}({', '.join(arguments)})")
    return ", ".join(goals)
