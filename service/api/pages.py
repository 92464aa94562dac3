"""What people see in a browser: the page at /, its files, and the API's documentation."""

from fastapi import FastAPI, HTTPException, Response
from fastapi.responses import FileResponse
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from predinet_prolog.service.page import folder

# Static files may change with the next version: the browser asks each time whether they did.
_CACHE = {"Cache-Control": "no-cache"}


def add_pages(app: FastAPI) -> None:
    """Adds the routes to `app`, whose others must be there already: /docs lists them."""
    # Swagger UI's own files; FastAPI's page would load them from another host.
    app.mount("/static/swagger", _Files(packages=[("fastapi_offline", "static")]))
    app.mount("/static", _Files(directory=folder()))

    @app.get("/", include_in_schema=False)
    async def page() -> Response:
        return FileResponse(folder() / "index.html", headers=_CACHE)

    @app.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        return FileResponse(folder() / "docs.html", headers=_CACHE)


class _Files(StaticFiles):
    """The page's files, and not the Python beside them."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        if path.endswith((".py", ".pyc")):
            raise HTTPException(404)
        response = await super().get_response(path, scope)
        response.headers.update(_CACHE)
        return response
