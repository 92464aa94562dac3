"""The one door to onnxruntime: graphs that look without PyTorch are read, made where they are missing, and opened."""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from predinet_prolog.domains.writing import write_atomically
from predinet_prolog.lazily import lazily

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

# From 1.32 on onnxruntime writes into its user's home and looks a name up to report its use, unless it is told not to
# before it is imported.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
runtime, quantization = lazily("onnxruntime"), lazily("onnxruntime.quantization")  # take a while to import

DIGEST = "predinet-prolog"
"""Under this key a graph's metadata have the digest of what it was made for."""
FATAL = 4
"""onnxruntime's level of messages that are written; its errors are raised as well."""


def open_session(
    path: Path | None, digest: str, make: Callable[[], bytes], weights: Mapping[str, NDArray[Any]] | None = None
) -> "InferenceSession":
    """The graph at `path` if it has that digest; else what `make` makes, which is written there if that can be done.

    A graph without `weights` of its own gets these when it is opened. One that takes them as inputs, None here, was
    optimised when it was exported.
    """
    try:
        session = opened(path.read_bytes(), weights) if path else None
    except ImportError:
        raise
    except Exception:  # no file, or no graph: onnxruntime's errors have no class of their own
        session = None
    if session and session.get_modelmeta().custom_metadata_map.get(DIGEST) == digest:
        return session
    graph = make()
    if path:
        with suppress(OSError):
            write_atomically(path, graph)
    return opened(graph, weights)


def optimised(graph: bytes) -> bytes:
    """The graph as onnxruntime simplifies it for any machine, which takes longer than a look."""
    options = runtime.SessionOptions()
    options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    with TemporaryDirectory() as folder:
        path = Path(folder, "graph.onnx")
        options.optimized_model_filepath = str(path)
        runtime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        return path.read_bytes()


def opened(graph: bytes, weights: Mapping[str, NDArray[Any]] | None) -> "InferenceSession":
    """The graph on one thread: two threads' sums might be added up in another order. {}: it has its weights."""
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = FATAL
    # What computes in doubles gets no faster by it, and starts three times as slowly.
    if weights is None or {array.dtype for array in weights.values()} == {np.dtype(np.float64)}:
        options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
    if weights is not None:
        values = [runtime.OrtValue.ortvalue_from_numpy(array) for array in weights.values()]
        options.add_external_initializers(list(weights), values)
    session: InferenceSession = runtime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    return session
