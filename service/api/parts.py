"""What the routes share: models, the network's turn-taking, the pool of Prolog processes, the stored scenes."""

import asyncio
from contextlib import AsyncExitStack
from types import TracebackType

from service.api.batcher import Batcher
from service.api.metrics import Metrics
from service.api.registry import ModelRegistry
from service.settings import Settings
from service.store.scenes import SceneStore
from symbolic import Pool


class Parts:
    """The parts of one service. A context manager (`async with`): they live as long as its block."""

    pool: Pool
    batcher: Batcher
    store: SceneStore

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self.settings = settings
        self.metrics = metrics
        self.models = ModelRegistry(settings.model)
        self._opened = AsyncExitStack()

    async def __aenter__(self) -> "Parts":
        settings = self.settings
        await asyncio.to_thread(self.models.get, None)  # what the first request would fail on fails here
        async with AsyncExitStack() as opening:
            self.store = opening.enter_context(
                SceneStore(
                    settings.data_folder(),
                    most_bytes=settings.store_bytes,
                    most_client_bytes=settings.store_bytes_per_client,
                    most_days=settings.store_days,
                )
            )
            self.batcher = await opening.enter_async_context(
                Batcher(
                    self.models,
                    per_client=settings.per_client,
                    patience=settings.patience,
                    watch=self.metrics.count_batch,
                )
            )
            self.pool = await opening.enter_async_context(
                Pool(
                    workers=settings.workers,
                    time_limit=settings.time_limit,
                    answer_limit=settings.answer_limit,
                    waiting=settings.waiting,
                    per_client=settings.per_client,
                    patience=settings.patience,
                )
            )
            self.metrics.watch(self.pool, self.batcher, self.store)
            self._opened = opening.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._opened.aclose()
