"""What Prometheus reads: requests, Prolog's processes, images, scenes and this process."""

from collections.abc import Iterable
from functools import lru_cache

from prometheus_client import CollectorRegistry, Counter, GCCollector, Histogram, PlatformCollector, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.registry import Collector

from predinet_prolog.service.api.batcher import Batcher
from predinet_prolog.service.api.learner import Learner
from predinet_prolog.service.store.scenes import SceneStore
from predinet_prolog.symbolic import Pool

PREFIX = "predinet_prolog"
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
BATCH_SIZES = (1, 2, 4, 8, 16, 32)
METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS"})


class Metrics(Collector):
    """The metrics of one service, in a registry of its own so that several services in one process stay apart.

    It counts requests and batches; the figures of the parts, which keep them themselves, it collects when asked.
    """

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=self._registry)
        labels = ("method", "route", "status")
        requests = Counter(f"{PREFIX}_requests", "Requests answered.", labels, registry=self._registry)
        seconds = Histogram(
            f"{PREFIX}_request_seconds",
            "From a request's head to the end of its answer.",
            ("method", "route"),
            buckets=SECONDS,
            registry=self._registry,
        )
        self._batches = Histogram(
            f"{PREFIX}_image_batch_size",
            "Images that went through the network together.",
            buckets=BATCH_SIZES,
            registry=self._registry,
        )
        # Finding a label's child costs more than counting it. Routes are templates, so there are few.
        self._requests = lru_cache(1024)(requests.labels)
        self._seconds = lru_cache(1024)(seconds.labels)

    def watch(self, pool: Pool, batcher: Batcher, store: SceneStore, learner: Learner) -> None:
        """Reads these too, whenever the metrics are asked for."""
        self._pool, self._batcher, self._store, self._learner = pool, batcher, store, learner
        self._registry.register(self)

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """One more request. `route` is the template of its path."""
        if method not in METHODS:  # clients may invent any number of them
            method = "other"
        self._requests(method, route, status).inc()
        self._seconds(method, route).observe(seconds)

    def count_batch(self, size: int) -> None:
        """One more batch of so many images went through the network."""
        self._batches.observe(size)

    def write(self) -> tuple[bytes, str]:
        """Everything in Prometheus' text format, and its media type."""
        return generate_latest(self._registry), CONTENT_TYPE_PLAIN_0_0_4

    def describe(self) -> Iterable[Metric]:
        """Nothing: registering must not read the parts yet."""
        return ()

    def collect(self) -> Iterable[Metric]:
        """The figures as they are now."""
        pool, store, learner = self._pool.stats(), self._store.stats(), self._learner
        gauges = {
            "workers": ("Prolog processes that answer queries.", pool.workers),
            "workers_ready": ("Prolog processes that are up.", pool.ready),
            "workers_busy": ("Prolog processes that are at a query.", pool.busy),
            "queries_waiting": ("Queries that wait for a process.", pool.waiting),
            "images_waiting": ("Images that wait to be looked at.", self._batcher.waiting),
            "searches_waiting": ("Searches for rules that wait or run.", learner.waiting),
            "scenes": ("Scenes stored.", store.scenes),
            "scenes_bytes": ("Bytes that they take.", store.bytes),
            "scenes_most_bytes": ("Bytes that they may take.", store.most_bytes),
            "scenes_in_memory": ("Scenes that are answered without a look into the store.", store.remembered),
        }
        counters = {
            "workers_started": ("Prolog processes started.", pool.started),
            "workers_killed": ("Prolog processes ended for a query that took too long.", pool.killed),
            "workers_died": ("Prolog processes that ended for another reason.", pool.died),
            "workers_recycled": ("Prolog processes replaced after their share of queries.", pool.recycled),
            "queries_retried": ("Queries asked again because their process died.", pool.retried),
            "searches_killed": ("Searches for rules ended at their time limit.", learner.killed),
        }
        for family, figures in ((GaugeMetricFamily, gauges), (CounterMetricFamily, counters)):
            for name, (help, value) in figures.items():
                yield family(f"{PREFIX}_{name}", help, value)
