"""Rules learned for many clients: one search at a time, in a process of its own that can be ended."""

import asyncio
import logging
import os
import sys
from contextlib import ExitStack, suppress
from pathlib import Path

import predinet_prolog
from predinet_prolog.neural.errors import WorkerDiedError
from predinet_prolog.service.errors import BusyError, ClientLimitError
from predinet_prolog.symbolic import TimeLimitError

logger = logging.getLogger(__name__)

_COMMAND = [sys.executable, "-P", "-c", "from predinet_prolog.service.learning import main; main()"]
_ROOT = Path(predinet_prolog.__file__).parent.parent


class Learner:
    """Searches for rules, one after the other: each has a process and a core.

    seconds: that a search may take, from its process's start.
    patience: seconds that one waits for those before it.
    """

    def __init__(self, *, seconds: float, patience: float) -> None:
        self._seconds = seconds
        self._patience = patience
        self._free = asyncio.Semaphore()
        self._clients: set[str] = set()
        self.killed = 0

    @property
    def waiting(self) -> int:
        """Searches that wait or run."""
        return len(self._clients)

    async def learn(self, lesson: bytes, *, client: str) -> bytes:
        """What service.learning finds in `lesson`, both JSON.

        Raises ClientLimitError where a search of this client waits or runs already, BusyError where this one waited too
        long, TimeLimitError where it took too long, and WorkerDiedError where its process failed.
        """
        if client in self._clients:
            raise ClientLimitError("rules of yours are being learned already: wait until they are", 1.0)
        with ExitStack() as turn:
            self._clients.add(client)
            turn.callback(self._clients.discard, client)
            try:
                async with asyncio.timeout(self._patience):
                    await self._free.acquire()
            except TimeoutError:
                waited = f"the search for rules waited {self._patience:g} s for others"
                raise BusyError(f"{waited}: try again soon", self._patience) from None
            turn.callback(self._free.release)
            return await self._search(lesson)

    async def _search(self, lesson: bytes) -> bytes:
        # Little of our own environment: tokens are in it.
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "PYTHONPATH": str(_ROOT),
            "LC_ALL": "C.UTF-8",
            "OPENBLAS_NUM_THREADS": "1",  # the other cores are the event loop's and Prolog's
        }
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *_COMMAND, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, cwd="/", start_new_session=True
        )
        try:
            async with asyncio.timeout(self._seconds):
                reply, said = await process.communicate(lesson)
        except TimeoutError:
            self.killed += 1
            remedy = "show fewer pictures, or name the predicates that rules may use (only)"
            raise TimeLimitError(f"no rules were found in the {self._seconds:g} s of a search: {remedy}") from None
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        if process.returncode:
            logger.error("a search for rules ended with status %d: %s", process.returncode, said.decode()[-2000:])
            raise WorkerDiedError("the search for rules ended on its own: show fewer pictures")
        return reply
