"""Logs: one JSON object a line on standard error, without anything that users send."""

import json
import logging
import sys
from datetime import UTC, datetime


def log_to_standard_error() -> None:
    """Has every logger of the process write JSON lines to standard error; requests from `INFO` up, all else from
    `WARNING`."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("service").setLevel(logging.INFO)


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
