"""What the routes share: models, the network's turns, Prolog's processes, the stored scenes, the search for rules."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from predinet_prolog.service.api.batcher import Batcher
from predinet_prolog.service.api.learner import Learner
from predinet_prolog.service.api.metrics import Metrics
from predinet_prolog.service.api.registry import ModelRegistry
from predinet_prolog.service.settings import Settings
from predinet_prolog.service.store.scenes import SceneStore
from predinet_prolog.symbolic import Pool


class Parts:
    """The parts of one service: `batcher`, `pool` and `store` are there while it is `opened`."""

    pool: Pool
    batcher: Batcher
    store: SceneStore

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self.settings = settings
        self.metrics = metrics
        self.models = ModelRegistry(settings.model)
        self.learner = Learner(seconds=settings.learn_seconds, patience=settings.patience)

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Starts the parts, and ends them after the block."""
        chosen = self.settings
        await asyncio.to_thread(self.models.get, None)  # what the first request would fail on fails here
        store = SceneStore(
            chosen.data_folder(),
            most_bytes=chosen.store_bytes,
            most_client_bytes=chosen.store_bytes_per_client,
            most_days=chosen.store_days,
        )
        batcher = Batcher(
            self.models, per_client=chosen.per_client, patience=chosen.patience, watch=self.metrics.count_batch
        )
        pool = Pool(
            workers=chosen.workers,
            time_limit=chosen.time_limit,
            answer_limit=chosen.answer_limit,
            waiting=chosen.waiting,
            per_client=chosen.per_client,
            patience=chosen.patience,
        )
        with store as self.store:
            async with batcher as self.batcher, pool as self.pool:
                self.metrics.watch(self.pool, self.batcher, self.store, self.learner)
                yield
