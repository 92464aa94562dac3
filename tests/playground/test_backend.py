"""The playground's answers are the service's, and what stands in for libraries does as they do. Without a browser."""

import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import httpx
import numpy as np
import pytest
from PIL import Image

from predinet_prolog.service.settings import DEFAULT_MODEL, SCENES_MODEL
from predinet_prolog.symbolic.channel import Channel
from predinet_prolog.symbolic.wire import dumps
from predinet_prolog.symbolic.worker import Worker
from tests.cases import cases
from tests.service.page.conftest import serving

CASES = cases(__file__)
ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "service" / "page" / "examples"
ID, OTHER = "0" * 32, "1" * 32
Ask = Callable[..., tuple[int, Any]]


def module(path: Path) -> ModuleType:
    """The Python file, which lies in no package."""
    loader = SourceFileLoader(f"of_the_playground_{path.parent.name}_{path.stem}", str(path))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    made = importlib.util.module_from_spec(spec)
    loader.exec_module(made)
    return made


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return module(ROOT / "scripts" / "playground")


@pytest.fixture
def playground(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ask]:
    """Asks a Backend whose Prolog is a process and whose onnxruntime is the real one."""
    # What these are again afterwards.
    monkeypatch.setattr(Worker, "channel", Channel)
    monkeypatch.setattr(Image, "DECODERS", dict(Image.DECODERS))
    monkeypatch.setattr(np, "bincount", np.bincount)
    monkeypatch.setitem(sys.modules, "pyodide", ModuleType("pyodide"))
    monkeypatch.setitem(sys.modules, "pyodide.ffi", SimpleNamespace(to_js=None))
    backend = module(ROOT / "playground" / "backend.py")
    channel = Channel()

    def prolog(operation: str, arguments: list[Any]) -> str:
        return channel.exchange(dumps([9000, operation, arguments]), 9).decode()

    channel.exchange(b"", 9)
    own = backend.Backend(None, None, prolog)

    def ask(method: str, path: str, body: bytes = b"", **fields: str) -> tuple[int, Any]:
        status, media_type, found = own.answer(method, path, SimpleNamespace(to_bytes=lambda: body), json.dumps(fields))
        return status, json.loads(found) if media_type.endswith("json") else found

    yield ask
    channel.kill()
    channel.closed()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Asks the service the same."""
    data = tmp_path_factory.mktemp("data")
    with serving(data, model=None) as address, httpx.Client(base_url=address, timeout=60) as client:

        def ask(method: str, path: str, body: bytes = b"", **fields: str) -> tuple[int, Any]:
            if path == "scenes":
                answer = client.post(path, files={"image": (fields["name"], body)})
            else:
                answer = client.request(method, path, content=body, headers={"Content-Type": "application/json"})
            told = answer.headers["content-type"].partition(";")[0].endswith("json")
            return answer.status_code, answer.json() if told else answer.content

        yield ask


OF_A_POSTING = {"created", "expires", "links", "instance", "type"}
"""What only a service has to say."""


def test_the_same_answers_as_the_service(playground: Ask, service: Ask) -> None:
    """Of scenes that have the service's ids in both; those of the table stand for them."""
    ids: list[str] = []

    def both(method: str, path: str, body: bytes = b"", **fields: str) -> Any:
        wanted_status, wanted = service(method, path, body, **fields)
        if isinstance(wanted, dict):
            fields |= {"id": wanted.get("id", OTHER)} if path == "scenes" else {}
            wanted = {key: value for key, value in wanted.items() if key not in OF_A_POSTING}
        status, own = playground(method, path, body, **fields)
        assert own == wanted, path
        assert status == (200 if wanted_status == 201 else wanted_status)
        return own

    def ask(path: str, asked: dict[str, Any]) -> None:
        both("POST", path, json.dumps(asked).replace(ID, ids[0]).replace(OTHER, ids[1]).encode())

    for name in ("between.png", "crowd.png"):
        ids.append(both("POST", "scenes", (EXAMPLES / name).read_bytes(), name=name)["id"])
        for part in ("", "/program", "/brief", "/image", "/masks"):
            both("GET", f"scenes/{ids[-1]}{part}")
    all_of = {"query": "mine(X), X = 'é'", "rules": "relations_game\nmine(X) :- object(X).", "limit": None}
    for asked in (*CASES["asked"], all_of):
        ask(f"scenes/{ids[0]}/query", asked)
    ask("learn", CASES["lesson"])
    naming = CASES["naming"] | {"by": None}
    ask("words", naming)
    ask("words", {**naming, "objects": ["ob_77"]})
    both("POST", "scenes", b"no picture", name="no.png")


def test_what_the_browser_gets_is_all_that_it_imports(script: ModuleType, tmp_path: Path) -> None:
    """Every module of ours that backend.py leads to is in the archive, and both models are."""
    project = script.project()
    for name in (DEFAULT_MODEL, SCENES_MODEL):
        assert f"predinet_prolog/neural/models/{name}.safetensors" in project
        assert f"predinet_prolog/neural/models/{name}.grounded.json" in project
    for name, content in project.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    (tmp_path / "pyodide").mkdir()
    (tmp_path / "pyodide" / "ffi.py").write_text("to_js = None")
    (tmp_path / "pyodide" / "__init__.py").write_text("")
    code = (
        "import sys; sys.modules.update(dict.fromkeys(('torch', 'fastapi', 'pydantic', 'sklearn', 'pyswip')));"
        "import backend; print({m.__file__ for m in sys.modules.values() if getattr(m, '__file__', None)})"
    )
    path = {"PYTHONPATH": f"{tmp_path}:{Path(np.__file__).parents[1]}"}
    done = subprocess.run([sys.executable, "-S", "-c", code], cwd=tmp_path, env=path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert str(ROOT / "predinet_prolog") not in done.stdout


def test_the_page_is_the_service_s(script: ModuleType) -> None:
    page = script.page()
    assert page.index('src="playground.js"') < page.index('src="static/main.js"')
    assert 'href="docs"' not in page
    assert "openapi" not in page
