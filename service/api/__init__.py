"""The HTTP service: images in, programs and answers out.

create_app(settings) is the ASGI application; run(settings, listener) serves it until a signal ends it.
"""

from predinet_prolog.service.api.app import create_app
from predinet_prolog.service.api.server import run

__all__ = ["create_app", "run"]
