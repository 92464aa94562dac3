"""The official parts: found, fetched once, compared."""

import hashlib
from pathlib import Path

import pytest

from examples.clevr import assets as module
from predinet_prolog.domains.errors import DomainError


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in place of the official repository, with two small files."""
    folder = tmp_path / "official"
    (folder / "shapes").mkdir(parents=True)
    files = {"scene.blend": b"scene", "shapes/cube.blend": b"cube"}
    for name, content in files.items():
        (folder / name).write_bytes(content)
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    monkeypatch.setattr(module, "DIGESTS", digests)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("CLEVR_ASSETS", raising=False)
    return folder


def test_they_are_fetched_once(source: Path) -> None:
    folder = module.assets(f"{source.as_uri()}/")
    assert (folder / "shapes" / "cube.blend").read_bytes() == b"cube"
    assert module.assets("file:///nowhere/") == folder


def test_a_folder_that_has_them_is_taken_unless_a_file_is_another(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLEVR_ASSETS", str(source))
    assert module.assets("file:///nowhere/") == source
    (source / "scene.blend").write_bytes(b"another")
    with pytest.raises(DomainError, match=r"scene\.blend: it is not the published file"):
        module.assets()


def test_what_cannot_be_had_names_the_remedy(source: Path) -> None:
    with pytest.raises(DomainError, match="CLEVR_ASSETS names a folder"):
        module.assets(f"{source.as_uri()}/nowhere/")
