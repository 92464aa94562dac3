"""How a worker and its parent speak: JSON texts over pipes, each after its length in four bytes.

The parent sends the seconds after which the worker kills itself, and an operation of host.pl with its arguments:

    [9.5, "load", [key, [name, text, name, text, ...]]]      the program first, then the rules
    [1.5, "ask", [key, milliseconds, limit, text, goal, why]]    text, why: 1 to tell values as text, to prove; or 0

The reply is an object.
The worker's first message comes unasked: {"ready": true}, {"failed": reason}, or what the operation "base" replies.
"""

import json
import struct

LENGTH = struct.Struct("!I")


def pack(text: bytes) -> bytes:
    """`text` with its length in front."""
    return LENGTH.pack(len(text)) + text


def dumps(message: object) -> bytes:
    """`message` as it goes into `pack`. Lone surrogates pass, as `json.loads` takes them: the worker refuses them."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode(errors="surrogatepass")
