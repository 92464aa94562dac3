"""train FOLDER where labels.csv alone says something of the pictures: networks end to end, and rules beside them."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from predinet_prolog.domains.annotations import ANNOTATIONS
from predinet_prolog.domains.images import FREE, read_image
from predinet_prolog.domains.label_tables import LABELS
from predinet_prolog.service.cli.lessons import Label, Lesson, open_lesson, read_labels
from predinet_prolog.service.cli.progress import following
from predinet_prolog.service.cli.seeing import Seeing
from predinet_prolog.service.cli.teaching import judge_pictures
from predinet_prolog.service.errors import UsageError
from predinet_prolog.service.streams import emit
from predinet_prolog.symbolic.learning.choosing import SHARE, one_in_share

if TYPE_CHECKING:
    from predinet_prolog.experiments.labelled import LabelTraining


def is_labelled(folder: Path) -> bool:
    """Whether labels are all that is said of the folder's pictures."""
    return (folder / LABELS).is_file() and not (folder / ANNOTATIONS).is_file()


def train_labels(folder: Path, output: Path | None, training: "LabelTraining", architectures: Sequence[str]) -> None:
    """Trains networks of the architectures on the labels, writes each, and prints how well they do on pictures that
    were held back, and how well rules do that are learned from the same others."""
    from safetensors.torch import save_file

    from predinet_prolog.experiments.labelled import SIDE, train_on_labels

    rows = read_labels(folder / LABELS, (), folder)
    if any(task is not None for _, task in rows.values()):
        raise UsageError(f"{folder / LABELS} has several tasks: give each a folder of its own, or learn rules of all")
    names = list(rows)
    words, labels = np.unique([label for label, _ in rows.values()], return_inverse=True)
    held_back = _held_back(folder, names, labels)
    images = (Image.fromarray(read_image(folder / name, picture=FREE).pixels) for name in names)
    pictures = np.stack([np.asarray(image.resize((SIDE, SIDE), Image.Resampling.BOX)) for image in images])
    target = output or Path("out") / folder.resolve().name
    emit(f"{'':15}trained on {int((~held_back).sum())}  held back {int(held_back.sum())}\n")
    for architecture in architectures:
        with following("training", "steps") as report:
            network, judged = train_on_labels(architecture, pictures, labels, held_back, training, report)
        about = {"config": json.dumps(asdict(network.config)), "labels": json.dumps(words.tolist())}
        target.mkdir(parents=True, exist_ok=True)
        save_file(network.state_dict(), target / f"{architecture}.safetensors", metadata=about)
        emit(f"{architecture:15}{judged.trained:.4f}{judged.held_back:18.4f}\n")
    lesson: Lesson[Label] = open_lesson(folder, None, read_labels, (), Seeing())
    trained, judged_right, clauses = judge_pictures(
        lesson, {name for name, held in zip(names, held_back, strict=True) if held}
    )
    emit(f"{'rules (learn)':15}{trained:.4f}{judged_right:18.4f}\n\n{clauses}")


def _held_back(folder: Path, names: Sequence[str], labels: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which judge: of each label one in SHARE, by what the files hold."""
    held = np.zeros(len(names), np.bool_)
    held[one_in_share(((folder / name).read_bytes() for name in names), labels.tolist())] = True
    if not held.any():
        raise UsageError(f"{folder / LABELS}: no label has {SHARE} pictures: label more, for one in {SHARE} judges")
    return held
