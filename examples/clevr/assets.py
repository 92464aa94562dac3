"""The official scene, shapes and materials: found where CLEVR_ASSETS says, or fetched once and compared."""

import hashlib
import os
import urllib.request
from pathlib import Path

from predinet_prolog.domains.errors import DomainError
from predinet_prolog.domains.writing import write_atomically

SOURCE = (
    "https://raw.githubusercontent.com/facebookresearch/clevr-dataset-gen/"
    "f0ce2c81750bfae09b5bf94d009f42e055f2cb3a/image_generation/data/"
)
DIGESTS = {
    "base_scene.blend": "e9a6a0a51f377064ae78e6568fdb1c5a6c97db4e674b29682e345d677607eb82",
    "materials/MyMetal.blend": "e47b6f920aaa4f5db0306eed01c309e0fcd933fdf2a8b6032a5fe5012268eca6",
    "materials/Rubber.blend": "05aa7d57452a4f083febe9ba34483c3c66201d2836b7281794f7ddbd9f9e63ff",
    "properties.json": "d72145e4bdd9dca8d85b49d98beb212d86cb4620c2001a507d9b3a4d6544e959",
    "shapes/SmoothCube_v2.blend": "a901f32efbc2afe33de6874163002439ce943697d6f4b43d0ad494eac72035ce",
    "shapes/SmoothCylinder.blend": "f5c4bf6b1f5e1469eb868b4e6be092ae2656b7b41d3a07e23d8487e616289bfa",
    "shapes/Sphere.blend": "f35d20b842193ac0f3e49d4642c1ebbc999142ead5ecc298ed024118a5e5df98",
}


def assets(source: str = SOURCE) -> Path:
    """The folder of the assets; DomainError where one cannot be had or is another than the published one."""
    given = os.environ.get("CLEVR_ASSETS")
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    folder = Path(given) if given else cache / "predinet-prolog" / "clevr"
    for name, digest in DIGESTS.items():
        path = folder / name
        try:
            if not given and not path.exists():
                write_atomically(path, urllib.request.urlopen(source + name, timeout=60).read())
            content = path.read_bytes()
        except OSError as error:
            raise DomainError(f"{path}: cannot be had ({error}): CLEVR_ASSETS names a folder that has it") from error
        if hashlib.sha256(content).hexdigest() != digest:
            raise DomainError(f"{path}: it is not the published file: remove it, or mend CLEVR_ASSETS")
    return folder
