"""Writing: whole or not at all."""

from pathlib import Path

import pytest
import torch

from predinet_prolog.domains.writing import replacing
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
