"""serve: the HTTP service."""

import socket

import click

from predinet_prolog.service.cli.options import setting_options, settings
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.streams import note


@click.command()
@setting_options
def serve(**given: str | None) -> None:
    """Serve a page and an HTTP API: images' programs, and answers to questions about them.

    Each option can be set by an environment variable as well: --time-limit by PREDINET_PROLOG_TIME_LIMIT.
    Bearer tokens are set by PREDINET_PROLOG_TOKENS alone, as others can read command lines.

    \b
    Examples:
      predinet-prolog serve --port 8000
      curl -F image=@scene.png -F 'query=object(X)' http://127.0.0.1:8000/query
    """
    chosen = settings(**given)
    with _listen(chosen.host, chosen.port) as listener:
        # Only now: loading all this takes its time, and a port in use is told at once.
        from predinet_prolog.service.api import run
        from predinet_prolog.service.api.logs import log_to_standard_error

        host = f"[{chosen.host}]" if ":" in chosen.host else chosen.host
        url = f"http://{host}:{listener.getsockname()[1]}"
        ready = f"listening on {url} (the page; {url}/docs explains the API; Ctrl-C ends)"
        with log_to_standard_error():
            run(chosen, listener, announce=lambda: note(ready))


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
