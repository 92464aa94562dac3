"""/models, /health and /metrics: what the service offers, and how it does."""

import asyncio

from fastapi import FastAPI, Response

from predinet_prolog.service.api.parts import Parts
from predinet_prolog.service.api.problems import documented
from predinet_prolog.service.api.schemas import Health, ModelCard

HEALTH_SECONDS = 1.0
"""In which a Prolog process has to answer."""


def add_status(app: FastAPI, parts: Parts) -> None:
    """Adds the routes to `app`."""

    @app.get("/health", summary="Does the service work?", responses=documented(503), tags=["service"])
    async def read_health() -> Health:
        model = parts.models.get(None)
        await parts.pool.ready(HEALTH_SECONDS)
        return Health(model=model.name)

    @app.get("/models", summary="The models to choose from", responses=documented(401), tags=["service"])
    async def list_models() -> list[ModelCard]:
        return [
            ModelCard(
                name=model.name,
                default=default,
                relations=model.relations,
                sha256=model.sha256,
                any_size=model.domain.picture.free,
                tasks=[*model.tasks],
                heads=model.heads,
                accuracies={kind: dict(tasks) for kind, tasks in model.accuracies.items()},
            )
            for model, default in await asyncio.to_thread(parts.models.all)
        ]

    @app.get(
        "/metrics",
        summary="Counts and times for Prometheus",
        response_class=Response,
        responses={
            200: {"description": "In Prometheus' text format.", "content": {"text/plain": {}}},
            **documented(401),
        },
        tags=["service"],
    )
    async def read_metrics() -> Response:
        text, media_type = parts.metrics.write()
        return Response(text, headers={"Content-Type": media_type})
