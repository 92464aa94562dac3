"""Logs: one JSON object a line on standard error, without anything that users send."""

import json
import logging
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from datetime import UTC, datetime

logger = logging.getLogger(__name__)

LIBRARY_BYTES = 200
"""Of a line that a library writes: the rest is another line."""


@contextmanager
def log_to_standard_error() -> Iterator[None]:
    """While the block runs, every logger of the process writes JSON lines to standard error; requests from `INFO` up,
    all else from `WARNING`.

    What C libraries write there by themselves (libtiff does, of files that it cannot read) becomes such lines as well.
    """
    sys.stderr.flush()
    with (
        os.fdopen(os.dup(2), "w", buffering=1, encoding="utf-8", errors="backslashreplace") as log,
        redirect_stderr(log),
    ):
        handler = logging.StreamHandler(log)
        handler.setFormatter(JsonLines())
        logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
        logging.getLogger("predinet_prolog.service").setLevel(logging.INFO)
        try:
            with _logged(log.fileno()):
                yield
        finally:
            logging.getLogger().removeHandler(handler)


@contextmanager
def _logged(before: int) -> Iterator[None]:
    """While the block runs, what is written to descriptor 2 is logged."""
    reading, writing = os.pipe()
    # A library that waited for room in the pipe would hold Python's lock, which the reader needs to make room.
    os.set_blocking(writing, False)
    os.dup2(writing, 2)
    os.close(writing)

    def log() -> None:
        with os.fdopen(reading, "rb") as lines:
            while line := lines.readline(LIBRARY_BYTES):
                text = line.decode("ascii", "backslashreplace").strip()
                logger.warning("a library wrote to standard error", extra={"fields": {"text": text}})

    reader = threading.Thread(target=log, name="standard-error", daemon=True)
    reader.start()
    try:
        yield
    finally:
        os.dup2(before, 2)  # the pipe's last writing end: the thread comes to the end
        reader.join()


class JsonLines(logging.Formatter):
    """`{"time": ..., "level": ..., "event": ...}` with the record's `fields`, and the trace of its exception."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {
            "time": time.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line)
