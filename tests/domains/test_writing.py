"""Writing: whole or not at all."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from predinet_prolog.domains.writing import replacing, write_atomically
from predinet_prolog.neural import NetworkConfig, RelationsNetwork, load_model, save_model, training_config


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError, SystemExit])
def test_an_interrupted_file_leaves_the_old_one(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"old")

    def write() -> None:
        with replacing(path) as temporary:
            assert temporary.name == "x.txt", "what is written may look at the name"
            temporary.write_bytes(b"ne")
            assert path.read_bytes() == b"old"
            raise error

    with pytest.raises(error):
        write()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


KILLED = """
import os, signal, sys
from contextlib import ExitStack
from pathlib import Path
from predinet_prolog.domains.writing import replacing
with ExitStack() as stack:
    for path in sys.argv[1:]:
        temporary = stack.enter_context(replacing(Path(path)))
        temporary.with_suffix(".part").write_text("half")
        temporary.with_name("folder").mkdir()
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("writers", [1, 2])
def test_the_next_writer_clears_what_one_that_was_killed_left(tmp_path: Path, writers: int) -> None:
    """And nothing else: not what another writes meanwhile, to the same path or not."""
    path, other = tmp_path / "base.pl", tmp_path / "other.pl"
    with replacing(path) as temporary, replacing(other) as nothing:
        temporary.write_bytes(b"mine")
        nothing.write_bytes(b"")
        meanwhile = set(tmp_path.iterdir())
        subprocess.run([sys.executable, "-c", KILLED, *[str(path)] * writers], check=False)
        assert len(set(tmp_path.iterdir()) - meanwhile) == writers
        write_atomically(path, b"yours")
        assert set(tmp_path.iterdir()) == {*meanwhile, path}
    assert path.read_bytes() == b"mine"
    assert set(tmp_path.iterdir()) == {path, other}


def test_an_interrupted_checkpoint_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model.safetensors"
    training = training_config(["between"])
    small = NetworkConfig(heads=2, relations=2, key_size=5, filters=7)
    networks = [RelationsNetwork(small, generator=torch.Generator().manual_seed(seed)) for seed in (0, 1)]
    save_model(path, networks[0], training, {})
    digest = load_model(path).sha256
    original = Path.write_bytes

    def half(self: Path, data: bytes) -> int:
        original(self, data[: len(data) // 2])
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", half)
        with pytest.raises(KeyboardInterrupt):
            save_model(path, networks[1], training, {})
    assert load_model(path).sha256 == digest
    assert list(tmp_path.iterdir()) == [path]
    save_model(path, networks[1], training, {})
    assert load_model(path).sha256 != digest
