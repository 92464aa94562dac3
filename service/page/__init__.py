"""The page at `/`: plain HTML, CSS and ES modules that talk to the HTTP API, with nothing to build."""

from pathlib import Path


def folder() -> Path:
    """Where the page's files lie: `index.html`, and everything it asks for below `static/`."""
    return Path(__file__).parent
