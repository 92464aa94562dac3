"""Where the command `predinet-prolog` begins: to say its version takes no more than Python does."""

import atexit
import gc
import os
import sys
from collections.abc import Sequence

from predinet_prolog import paths  # noqa: F401 (before pathlib)
from predinet_prolog.lazily import lazily
from predinet_prolog.service.streams import OutputClosed, emit, note, standard_streams

commands, version = lazily("predinet_prolog.service.cli.app"), lazily("predinet_prolog.service.version")

INTERRUPTED, READER_GONE, OUTPUT_LOST = 130, 141, 3
"""Exit statuses: after Ctrl-C and SIGPIPE 128 and the signal's number; where standard output is full or closed."""
# Read when numpy is loaded. Its products are too small here for more threads, which only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
gc.set_threshold(100_000)  # what modules are made of stays
atexit.register(gc.freeze)  # to the end: Python would look through all of it before it goes


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status, that of `app.run` unless it was stopped."""
    words = sys.argv[1:] if arguments is None else arguments
    try:
        with standard_streams():
            if [*words] == ["--version"]:
                emit(version.version_line())
                return 0
            return int(commands.run(words))
    except KeyboardInterrupt:
        return INTERRUPTED
    except OutputClosed as lost:
        if not lost.reason:
            return READER_GONE
        note(f"standard output cannot be written: {lost.reason}")
        return OUTPUT_LOST
