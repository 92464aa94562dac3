"""Contents for a store of scenes, and the time that it believes in."""

import random
from collections.abc import Callable

from predinet_prolog.service.handlers import SceneContent
from predinet_prolog.service.store.scenes import SceneStore, StoredScene

MANY = 2**30


def seen(number: int, *, size: int = 3_000) -> SceneContent:
    """A content that follows from its number; every part differs in length, `size` bytes of them do not compress."""
    draw = random.Random(number)
    return SceneContent(
        model=f"model {number % 3}",
        program=f"% é {number}\n" + f"object(ob_{number}).\n" * 50,
        brief=f"object(ob_{number}).\n",
        facts=b"{%d}" % number,
        notes=("resized from 72x72 to 36x36", f"note {number}")[: number % 3],
        warnings=(f"warning {number}", "é")[: number % 2 + 1],
        categories=("person", "hard hat")[: number % 3],
        details=b"{%d}" % number,
        masks=b"[%d]" % number * 11,
        image=draw.randbytes(size),
    )


def put(store: SceneStore, *numbers: int, client: str = "ada", size: int = 3_000) -> list[StoredScene]:
    """Scenes of the client with these contents."""
    return [store.put(seen(number, size=size), client=client) for number in numbers]


Open = Callable[..., SceneStore]


class Clock:
    """The time that the store believes in."""

    now = 1_700_000_000.0

    def time(self) -> float:
        return self.now
