"""The site: `make docs` builds it from these pages, the docstrings and the service's own routes."""

import json
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

project = "predinet-prolog"
version = release = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = f"{project} {version}"
html_favicon = "../service/page/icon.svg"
html_copy_source = html_show_copyright = html_show_sphinx = False
pygments_style, pygments_dark_style = "friendly", "monokai"
highlight_language = "none"  # of blocks that name no language
myst_heading_anchors = 3
suppress_warnings = ["toc.empty_glob"]  # pages that are not written yet have their place
default_role = "code"  # docstrings write names between single backticks
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 88
# The links of a page that anybody may edit: `python -m sphinx -b linkcheck docs out/links` tries them, with network.
linkcheck_anchors = False


@cache
def routes() -> dict[str, Any]:
    """The OpenAPI document of the service."""
    from service.api import create_app
    from service.settings import load_settings

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


def write_openapi(app: Sphinx, error: Exception | None) -> None:
    """Puts the OpenAPI document beside the pages."""
    if error is None and app.builder.format == "html":
        (Path(app.outdir) / "openapi.json").write_text(json.dumps(routes(), indent=1), encoding="utf-8")


def setup(app: Sphinx) -> None:
    app.connect("source-read", fill)
    app.connect("build-finished", write_openapi)
