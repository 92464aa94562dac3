"""How a worker and its parent speak over pipes.

The parent sends the milliseconds after which the worker kills itself, and an operation of host.pl with its arguments:

    [9500, "load", [key, [name, text, name, text, ...]]]     the program first, then the rules
    [1500, "ask", [key, milliseconds, limit, text, goal, why]]   text, why: 1 to tell values as text, to prove; or 0

That is no JSON, which takes longer to load than all that a worker needs. The reply is, behind its length, the JSON text
of an object. The first one comes unasked: {"ready":true}, what the operation "base" replies, or why there is no worker.
"""

from __future__ import annotations

import struct

TYPE_CHECKING = False  # see symbolic/__init__.py
if TYPE_CHECKING:
    from typing import Any, BinaryIO

LENGTH = struct.Struct("!I")


def dumps(message: str | int | list[Any]) -> bytes:
    """`message` for `loads`. Lone surrogates pass: the worker refuses them."""
    if isinstance(message, list):
        return b"list %d\n" % len(message) + b"".join(map(dumps, message))
    if isinstance(message, int):
        return b"int %d\n" % message
    text = message.encode(errors="surrogatepass")
    return b"str %d\n" % len(text) + text


def loads(pipe: BinaryIO) -> Any:
    """The next message that `dumps` wrote. Raises EOFError where none comes."""
    kind, _, number = pipe.readline().partition(b" ")
    match kind:
        case b"list":
            return [loads(pipe) for _ in range(int(number))]
        case b"int":
            return int(number)
        case b"str":
            return pipe.read(int(number)).decode(errors="surrogatepass")
    raise EOFError
