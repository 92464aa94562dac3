"""What people see in a browser: the page at /, its files, and the API's documentation."""

from pathlib import Path

from fastapi import FastAPI, Response
from fastapi.responses import FileResponse
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

PAGE = Path(__file__).parents[1] / "page"
"""Plain HTML, CSS and ES modules that talk to the HTTP API, with nothing to build."""

# Static files may change with the next version: the browser asks each time whether they did.
_CACHE = {"Cache-Control": "no-cache"}


def add_pages(app: FastAPI) -> None:
    """Adds the routes to `app`, whose others must be there already: /docs lists them."""
    # Swagger UI's own files; FastAPI's page would load them from another host.
    app.mount("/static/swagger", _Files(packages=[("fastapi_offline", "static")]))
    app.mount("/static", _Files(directory=PAGE))

    @app.get("/", include_in_schema=False)
    async def page() -> Response:
        return FileResponse(PAGE / "index.html", headers=_CACHE)

    @app.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        return FileResponse(PAGE / "docs.html", headers=_CACHE)


class _Files(StaticFiles):
    """Files that a browser asks for each time."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers.update(_CACHE)
        return response
