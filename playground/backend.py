"""The service's answers in a browser: the same requests, answered by the same functions, without a server.

worker.js loads this into Pyodide, makes a Backend, and has it answer each request of the page.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from io import BytesIO
from itertools import count
from typing import Any

import numpy as np
from PIL import Image, ImageFile
from pyodide.ffi import to_js  # type: ignore[import-not-found]

from predinet_prolog.domains.images import open_file
from predinet_prolog.neural.glimpses.model import load_any
from predinet_prolog.neural.sessions import runtime
from predinet_prolog.service.api.scene_views import stored
from predinet_prolog.service.errors import SceneNotFoundError, UsageError, failure
from predinet_prolog.service.given import Sent
from predinet_prolog.service.handlers import SceneContent, lesson_of, named, reply_of, word_of
from predinet_prolog.service.learning import learned
from predinet_prolog.service.pipeline import look
from predinet_prolog.service.settings import Settings
from predinet_prolog.service.theories import advice, english_rules, place, sent_rules
from predinet_prolog.symbolic import Rules
from predinet_prolog.symbolic.english import only, replied
from predinet_prolog.symbolic.question import Bounds
from predinet_prolog.symbolic.wire import loads
from predinet_prolog.symbolic.worker import Worker

SETTINGS = Settings()
_bincount = np.bincount
# An index has 32 bits in WebAssembly, and NumPy takes no wider one here.
np.bincount = lambda places, *others, **more: _bincount(np.asarray(places).astype(np.intp), *others, **more)
PARTS = {"program": "text/x-prolog", "brief": "text/x-prolog", "image": "image/png", "masks": "application/json"}

Answer = tuple[int, str, bytes]
"""Status, media type and body, as HTTP has them."""


class PrologChannel:
    """Prolog in WebAssembly, in the place of a process."""

    call: Any = None
    """JavaScript's: an operation of host.pl and its arguments to the reply."""
    _channels = count()

    def __init__(self, *, trust: bool = False, base: None = None, checks: bool = False) -> None:
        self.pid = next(self._channels)
        self._loaded: set[str] = set()

    def alive(self) -> bool:
        return True

    def kill(self) -> None:
        """Frees what was loaded: the next worker begins anew, with the same names for other programs."""
        for key in self._loaded:
            PrologChannel.call("drop", [key])
        self._loaded.clear()

    def closed(self) -> int:
        return 0

    def exchange(self, message: bytes, seconds: float) -> bytes:
        """As a process answers (symbolic/wire.py). The limit of the goal holds in Prolog, that of all in the page."""
        if not message:
            return b'{"ready":true}'
        _, operation, (key, *arguments) = loads(BytesIO(message))
        given: list[Any] = [f"{self.pid}_{key}", *arguments]
        (self._loaded.discard if operation == "drop" else self._loaded.add)(given[0])
        return str(PrologChannel.call(operation, given)).encode()


class JpegDecoder(ImageFile.PyDecoder):
    """libjpeg-turbo's pixels: Pyodide's Pillow has a library that makes others."""

    pixels: Any = None
    """JavaScript's: a file, width, height and whether it is grey to its pixels (jpeg.js)."""
    _pulls_fd = True

    def decode(self, buffer: Any) -> tuple[int, int]:
        """The whole file at once, of the size that it is wanted in."""
        assert self.fd is not None
        wanted = self.state.xsize, self.state.ysize
        self.set_as_raw(JpegDecoder.pixels(to_js(self.fd.read()), *wanted, self.mode == "L").to_bytes())
        return -1, 0


def _jpeg_decoder(mode: str, *how: Any) -> Any:
    """In the place of Pillow's own, but for printers' colours."""
    return JpegDecoder(mode, *how) if mode in ("L", "RGB") else Image.core.jpeg_decoder(mode, *how)  # type: ignore[attr-defined]


class Backend:
    """What has been seen, and a Prolog to ask."""

    def __init__(self, networks: Any, jpeg: Any, prolog: Any) -> None:
        """networks: what network.js makes; jpeg, prolog: functions, see JpegDecoder.pixels and PrologChannel.call."""
        runtime.InferenceSession.networks = networks
        JpegDecoder.pixels = jpeg
        Image.register_decoder("jpeg", _jpeg_decoder)  # type: ignore[arg-type]
        PrologChannel.call = prolog
        Worker.channel = PrologChannel  # type: ignore[assignment]
        self._scenes: dict[str, SceneContent] = {}
        self._worker = Worker(checks=False)
        self._bounds = Bounds(SETTINGS.time_limit, SETTINGS.answer_limit)

    def answer(self, method: str, path: str, body: Any, fields: str) -> Answer:
        """What the service answers to the request. body: JSON, or the file of a form, which has the other
        `fields`; both as JavaScript has them, the fields as JSON."""
        try:
            return 200, *self._answer(method, path.split("/"), body.to_bytes(), json.loads(fields))
        except Exception as error:
            if (found := failure(error)) is None:
                raise
            told = {"title": found.title, "status": found.http_status, "kind": found.kind, "detail": advice(error)}
            return found.http_status, "application/problem+json", _json(told | place(error))

    def _answer(self, method: str, path: list[str], body: bytes, fields: Mapping[str, str]) -> tuple[str, bytes]:
        match method, path:
            case "POST", ["scenes"]:
                return "application/json", self._look(body, **fields)
            case "POST", ["scenes", id, "query"]:
                return "application/json", self._query(id, json.loads(body))
            case "POST", ["learn"]:
                return "application/json", self._learn(json.loads(body))
            case "POST", ["words"]:
                return "application/json", self._name(json.loads(body))
            case "GET", ["scenes", id]:
                return "application/json", self._details(id)
            case "GET", ["scenes", id, part]:
                content = getattr(self._scene(id), part)
                return PARTS[part], content.encode() if isinstance(content, str) else content
        raise UsageError(f"nothing answers {method} {'/'.join(path)}")

    def _look(
        self,
        file: bytes,
        name: str,
        id: str,
        model: str | None = None,
        boxes: str | None = None,
        detections: Mapping[str, str] | None = None,
        classes: Mapping[str, str] | None = None,
    ) -> bytes:
        named = None if classes is None else (classes["text"].encode(), classes["name"])
        told = None if detections is None else Sent(detections["text"].encode(), detections["name"], named)
        view = look(open_file(file, name=name), model, boxes=boxes, detections=told)
        self._scenes[id] = stored(view)
        return self._details(id)

    def _scene(self, id: str) -> SceneContent:
        if id not in self._scenes:
            raise SceneNotFoundError(f"no scene {id} is here: open its picture again")
        return self._scenes[id]

    def _details(self, id: str) -> bytes:
        return _json({**json.loads(self._scene(id).details), "id": id})

    def _query(self, id: str, asked: Mapping[str, Any]) -> bytes:
        scene, rules = self._scene(id), sent_rules(asked.get("rules", ""))
        said = self._in_prolog(scene.program, asked["question"], rules) if "question" in asked else {}
        goal = said["goal"] if said else asked["query"]
        return reply_of(self._ask(scene.program, goal, rules, asked), scene, said)

    def _in_prolog(self, program: str, question: str, rules: tuple[Rules, ...]) -> dict[str, Any]:
        put = self._bounds.in_english(program, [("", [question])], (*rules, english_rules()))
        return only(replied(self._worker.ask(put), put)).to_json()

    def _name(self, naming: Mapping[str, Any]) -> bytes:
        scene = self._scene(naming["scene"])
        word = word_of(naming, scene.facts, load_any(scene.model))
        return _json(named(word, self._ask(scene.program, word.goal, sent_rules(word.rules), {})))

    def _learn(self, lesson: Mapping[str, Any]) -> bytes:
        return _json(learned(lesson_of(lesson, lambda id: self._scene(id).program)))

    def _ask(self, program: str, goal: str, rules: tuple[Rules, ...], asked: Mapping[str, Any]) -> bytes:
        bounds, why = replace(self._bounds, text=asked.get("text", False)), int(asked.get("why", False))
        return self._worker.ask(bounds.question(program, goal, rules, asked.get("limit"), beside=why))


def _json(document: object) -> bytes:
    return json.dumps(document).encode()
