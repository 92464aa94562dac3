"""The site: `make docs` builds it from these pages, the docstrings and the service's own routes."""

import json
import re
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

project = "predinet-prolog"
version = release = import_module(project.replace("-", "_")).__version__
extensions = ["myst_nb", "sphinx.ext.autodoc"]
exclude_patterns = ["**/.ipynb_checkpoints"]
nb_execution_mode = "force"  # also where somebody has stored outputs
nb_execution_raise_on_error = True
nb_execution_timeout = 120  # seconds a cell; the longest trains for 10
html_theme = "furo"
html_title = f"{project} {version}"
html_favicon = "../service/page/icon.svg"
html_static_path = html_css_files = ["site.css"]
html_copy_source = html_show_copyright = html_show_sphinx = False
pygments_style, pygments_dark_style = "friendly", "monokai"
highlight_language = "none"  # of blocks that name no language
myst_heading_anchors = 4
default_role = "code"  # docstrings write names between single backticks
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 88
linkcheck_anchors = False


@cache
def routes() -> dict[str, Any]:
    """The OpenAPI document of the service."""
    from predinet_prolog.service.api import create_app
    from predinet_prolog.service.settings import load_settings

    return create_app(load_settings()).openapi()


def fill(app: Sphinx, name: str, source: list[str]) -> None:
    """Writes the table of routes into the page that wants it."""
    if "<!-- routes -->" in source[0]:
        rows = [
            f"| `{method.upper()} {path}` | {operation['summary']} |"
            for path, operations in routes()["paths"].items()
            for method, operation in operations.items()
        ]
        source[0] = source[0].replace("<!-- routes -->", "\n".join(["| route | what it does |", "|---|---|", *rows]))


def mark_up(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Docstrings say `name: what it is` in paragraphs of such lines, and indent code: here these become fields and
    blocks."""
    found: list[str] = []
    fields, inside = True, False  # a paragraph of fields, or before one; within a field
    for line in lines:
        starts = fields and re.match(r"[a-z]\w*: \S", line) is not None
        inside = starts or (inside and bool(line))
        if inside:
            found.append(f":param {line}" if starts else f"    {line.strip()}")
            continue
        if fields and line and not line.startswith(" "):
            fields = False
            found += [""] * bool(found and found[-1])
        fields = fields or not line
        before = next((each for each in reversed(found) if each), " ")
        if line.startswith("    ") and found and not found[-1] and before[0] not in " :-":
            found += ["::", ""]
        found.append(line)
    lines[:] = found


def write_openapi(app: Sphinx, error: Exception | None) -> None:
    """Puts the OpenAPI document beside the pages."""
    if error is None and app.builder.format == "html":
        (Path(app.outdir) / "openapi.json").write_text(json.dumps(routes(), indent=1), encoding="utf-8")


def setup(app: Sphinx) -> None:
    app.connect("source-read", fill)
    app.connect("autodoc-process-docstring", mark_up)
    app.connect("build-finished", write_openapi)
