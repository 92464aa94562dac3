"""What is to be known of a task without drawing it; free of numpy, for the command line's help."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Task:
    """A question, or a family of them, about pictures of a domain."""

    name: str
    labels: int
    """Number of answers: 2 (0 false, 1 true) or more."""
    task_ids: int
    """Number of questions that share the task's pictures, 1 or more."""
    kinds: tuple[str, ...]
    """The kinds of things it is defined for."""
    summary: str
    """When the answer is true, in one sentence."""
    other_name: str | None = None
    """Its name in other people's files; accepted wherever a task is named."""
