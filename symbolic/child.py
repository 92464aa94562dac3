"""The worker process: SWI-Prolog lives here, and only here is pyswip imported.

Started by channel.py with an empty environment, its two pipes being 0 and 1. wire.py says what goes through them. It
ends when its pipe does. The modules that it imports are few, for they are loaded at every start: without json, re,
typing and enum, and so without signal, it takes a quarter less time.

pyswip gives the C interface of SWI-Prolog. Its own terms and queries are not used: they lose types and leak.
"""

import _signal as signal  # type: ignore[import-not-found]
import ctypes
import gc
import os
import resource
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import BufferedWriter
from types import ModuleType

from predinet_prolog.symbolic.limits import ADDRESS_SPACE, BASE_BYTES, NOBODY, STACK
from predinet_prolog.symbolic.wire import LENGTH, loads

Refusal = Callable[[str, list[object]], bytes | None]
"""The reply to texts of an operation and its arguments that Prolog's reader must not see, as precheck.py has it."""
_PR_SET_NO_NEW_PRIVS = 38


def main(refusal: Refusal = lambda *_: None) -> None:
    """Starts Prolog, says so, and serves requests until the parent closes its end."""
    pyswip, home, host, base, trust = sys.argv[1:]
    gc.set_threshold(100_000)  # what is loaded stays
    reading, writing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    # Python ignores this signal and Prolog would take SIGINT; the parent alone decides when to end us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        prolog = _Prolog(_interface(pyswip), home, host, trust=bool(trust))
        greeting, taken = b'{"ready":true}', 0
        if base:
            greeting, taken = prolog.call("base", ["", base]), BASE_BYTES * os.stat(base).st_size  # noqa: PTH116
        _give_up_privileges()
        _limit_resources(ADDRESS_SPACE + taken)
    except Exception as error:
        _write(writing, (str(error) or type(error).__name__).encode(errors="backslashreplace"))
    else:
        _write(writing, greeting)
        with suppress(EOFError):
            while True:
                _write(writing, _answered(prolog, refusal, *loads(reading)))
    os._exit(0)  # Prolog has nothing to save, and might hang


def _answered(prolog: "_Prolog", refusal: Refusal, milliseconds: int, operation: str, arguments: list[object]) -> bytes:
    # The default action of SIGALRM kills, even inside one long operation of GMP that no Prolog limit ends.
    signal.setitimer(signal.ITIMER_REAL, milliseconds / 1000)
    reply = refusal(operation, arguments) or prolog.call(operation, arguments)
    signal.setitimer(signal.ITIMER_REAL, 0)
    return reply


def _give_up_privileges() -> None:
    """Whatever Prolog could be tricked into, it is done by nobody, and stays so."""
    if os.geteuid() == 0:
        with suppress(PermissionError):  # a container may have taken the right to do this from root
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def _limit_resources(address_space: int) -> None:
    # No further process or thread (RLIMIT_NPROC): those of Prolog that are needed are there.
    limits = {resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: 0, resource.RLIMIT_NPROC: 0}
    if sys.platform != "darwin":  # macOS has the limit, and refuses to set it
        limits[resource.RLIMIT_AS] = address_space
    for limit, value in limits.items():
        resource.setrlimit(limit, (value, value))


def _interface(folder: str) -> ModuleType:
    """pyswip's C interface, from its `folder`. The package itself starts Prolog when it is imported, and without the
    saved state. What the interface would search for Prolog with, whose place it is told, is slow to load."""
    package = ModuleType("pyswip")
    package.__path__ = [folder]
    searching = ModuleType("searching")
    vars(searching).update(find_library=None, Popen=None, PIPE=None, Tuple=tuple)
    sys.modules.update(dict.fromkeys(("ctypes.util", "subprocess", "glob", "typing"), searching), pyswip=package)
    import pyswip.core as pl

    return pl


class _Prolog:
    """host.pl, called through the C interface `pl`.

    host: host.pl, or a saved state with it. trust: whether what it is asked may call anything.
    """

    def __init__(self, pl: ModuleType, home: str, host: str, *, trust: bool) -> None:
        self._pl = pl
        saved = host.endswith(".state")
        options = ["swipl", "-q", "--nosignals", f"--home={home}", *(["-x", host] if saved else [])]
        if not pl.PL_initialise(len(options), options):
            raise RuntimeError("SWI-Prolog does not initialise")
        self._true(f"set_prolog_flag(stack_limit, {STACK})")
        if not saved:
            with self._frame(1) as path:
                self._put(path, host)
                self._run(pl.PL_predicate("consult", 1, "system"), path)
        # The thread of the time limits starts now, and garbage is collected without one.
        self._true("deadline:call_within(1, true), set_prolog_gc_thread(false)")
        self._true("statistics(errors, 0), statistics(warnings, 0)")
        if trust:
            self._true("guard:trust")
        self._operation = pl.PL_predicate("reply", 3, "host")

    def call(self, operation: str, arguments: list[object]) -> bytes:
        """Calls an operation of host.pl with strings, integers and lists of them; returns its JSON text."""
        # Stacks that an earlier goal blew up would leave this one less than it may have.
        self._true("trim_stacks")
        pl, text = self._pl, ctypes.c_char_p()
        with self._frame(3) as first, pl.PL_STRINGS_MARK():
            self._put(first, operation)
            self._put(first + 1, arguments)
            self._run(self._operation, first)
            if not pl.PL_get_chars(first + 2, ctypes.byref(text), pl.CVT_STRING | pl.REP_UTF8 | pl.BUF_STACK):
                raise RuntimeError("host.pl gave no text")
            return text.value or b""

    def _put(self, term: int, value: object) -> None:
        pl = self._pl
        match value:
            case str():
                text = value.encode()
                pl.PL_put_chars(term, pl.PL_STRING | pl.REP_UTF8, len(text), text)
            case int():
                pl.PL_put_integer(term, value)
            case list():
                pl.PL_put_nil(term)
                head = pl.PL_new_term_ref()
                for element in reversed(value):
                    self._put(head, element)
                    pl.PL_cons_list(term, head, term)

    @contextmanager
    def _frame(self, terms: int) -> Iterator[int]:
        """Fresh consecutive term references; the first of them is given, and what they hold goes at the end."""
        frame = self._pl.PL_open_foreign_frame()
        try:
            yield self._pl.PL_new_term_refs(terms)
        finally:
            self._pl.PL_discard_foreign_frame(frame)

    def _true(self, goal: str) -> None:
        """Calls a goal that must be true."""
        with self._frame(1) as term:
            if not (self._pl.PL_chars_to_term(goal, term) and self._pl.PL_call(term, None)):
                raise RuntimeError(f"{goal} is not true: host.pl did not load cleanly")

    def _run(self, predicate: object, arguments: int) -> None:
        flags = self._pl.PL_Q_NODEBUG | self._pl.PL_Q_CATCH_EXCEPTION
        if not self._pl.PL_call_predicate(None, flags, predicate, arguments):
            raise RuntimeError("a call of host.pl failed")


def _write(writing: BufferedWriter, message: bytes) -> None:
    writing.write(LENGTH.pack(len(message)) + message)
    writing.flush()
