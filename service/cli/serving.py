"""serve: the HTTP service."""

import socket
from typing import Annotated

import typer

from service.cli.console import note
from service.cli.options import settings
from service.errors import UsageError


def register(app: typer.Typer) -> None:
    """Adds the command to `app`."""
    app.command()(serve)


def serve(
    host: Annotated[
        str | None, typer.Option(metavar="H", help="Address to listen on. (default: 127.0.0.1)", show_default=False)
    ] = None,
    port: Annotated[
        int | None, typer.Option(metavar="P", help="Port to listen on. (default: 8000)", show_default=False)
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", help="Prolog processes: queries run at once. (default: 2)", show_default=False),
    ] = None,
) -> None:
    """Serve images' programs and answers over HTTP; /docs explains the requests.

    \b
    Examples:
      predinet-prolog serve --port 8000
      curl -F image=@scene.png -F 'query=object(X)' http://127.0.0.1:8000/query
    """
    import uvicorn

    from neural import load_model
    from service.app import create_app
    from symbolic import Engine

    chosen = settings(host=host, port=port, workers=workers)
    with _listen(chosen.host, chosen.port) as listener:
        # What the first request would fail on fails here, in one line.
        load_model(chosen.model)
        with Engine() as engine:
            engine.ask("", "true")
        note(f"listening on {_url(chosen.host, chosen.port)} (its /docs explains the requests; Ctrl-C ends)")
        server = uvicorn.Server(uvicorn.Config(create_app(chosen), log_level="warning"))
        server.run(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    """A socket bound to the address; UsageError if that cannot be had."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(1024)
        except BaseException:
            listener.close()
            raise
    except (OSError, UnicodeError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or error
        raise UsageError(f"cannot listen on {host} port {port}: {reason}; try another --host or --port") from error
    return listener


def _url(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"
