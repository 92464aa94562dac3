"""What this project asks of onnxruntime, by onnxruntime in WebAssembly (network.js)."""

import re
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyodide.ffi import to_js


class GraphOptimizationLevel:
    """Whether graphs are made faster when they are loaded."""

    ORT_DISABLE_ALL = False
    ORT_ENABLE_ALL = True


class OrtValue(SimpleNamespace):
    """An array."""

    @classmethod
    def ortvalue_from_numpy(cls, array: NDArray[Any]) -> "OrtValue":
        return cls(array=array)


class SessionOptions(SimpleNamespace):
    """How a graph is run."""

    graph_optimization_level = GraphOptimizationLevel.ORT_ENABLE_ALL
    weights: bytes | None = None

    def add_external_initializers(self, names: Sequence[str], values: Sequence[OrtValue]) -> None:
        """As the playground's graphs have them: one after the other, in the order of their names."""
        self.weights = b"".join(value.array.tobytes() for _, value in sorted(zip(names, values, strict=True)))


class InferenceSession:
    """A graph, ready to run."""

    networks: Any = None
    """What network.js exports; set before the first session is made."""

    def __init__(self, graph: bytes, options: SessionOptions, providers: Sequence[str]) -> None:
        self._graph = graph
        weights = None if options.weights is None else to_js(options.weights)
        self._session = self.networks.session(to_js(graph), bool(options.graph_optimization_level), weights)

    def get_modelmeta(self) -> SimpleNamespace:
        """Strings among the graph's metadata: in protobuf's wire format a key and its value, each after its length."""
        found = re.findall(rb"\x0a.([\w-]+)\x12@([0-9a-f]{64})", self._graph, re.DOTALL)
        return SimpleNamespace(custom_metadata_map={key.decode(): value.decode() for key, value in found})

    def get_inputs(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(name=name) for name in self._session.inputs.to_py()]

    def run(self, names: Sequence[str] | None, inputs: Mapping[str, NDArray[Any]]) -> list[NDArray[Any]]:
        """The outputs `names`, or all of them."""
        # An index has 32 bits here, and 64 in graphs.
        wide = {name: value.astype(np.int64) if value.dtype == np.int32 else value for name, value in inputs.items()}
        arrays = {name: np.ascontiguousarray(value) for name, value in wide.items()}
        given = [[name, each.dtype.name, each.shape, each.tobytes()] for name, each in arrays.items()]
        found = self._session.run(to_js(given), *([to_js(names)] if names else []))
        return [np.frombuffer(data.to_bytes(), dtype).reshape(shape.to_py()) for dtype, shape, data in found]
