"""What benchmarks share: options, pictures of the game, seconds of cases that take turns, and tables."""

import argparse
import os
import platform
import resource
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Mapping
from pathlib import Path
from time import perf_counter

import numpy as np
from PIL import Image

from predinet_prolog.bridge import ImageInfo, perceiver_of, write_program
from predinet_prolog.domains import ORIGINAL, load_domain
from predinet_prolog.domains.domain import board
from predinet_prolog.neural import Model

COMMAND = str(Path(sysconfig.get_path("scripts")) / "predinet-prolog")
GAME = board(load_domain(ORIGINAL))
INFO = ImageInfo("image", "0" * 64, GAME.picture.width, GAME.picture.height)


def options(doc: str | None) -> argparse.ArgumentParser:
    """A parser that says the first line of a benchmark's `doc`."""
    return argparse.ArgumentParser(description=(doc or "").partition("\n")[0])


def boards(count: int, *, seed: int) -> np.ndarray:
    """Pictures (N, H, W, 3) of any number of hexominoes anywhere, which no shipped model was trained on."""
    return GAME.generate(GAME.free_task, count, kind="hexos", seed=seed).images


def save_boards(folder: Path, count: int, *, seed: int) -> Path:
    """`folder`, made, with so many `boards` as 000000.png and so on."""
    folder.mkdir()
    for number, pixels in enumerate(boards(count, seed=seed)):
        Image.fromarray(pixels).save(folder / f"{number:06}.png")
    return folder


def name_of(corruption: tuple[str, float] | None) -> str:
    """What the pictures went through: None for nothing."""
    return "clean" if corruption is None else f"{corruption[0]} {corruption[1]:g}"


def public_file(name: str) -> Path:
    """One of the authors' files, in $RELATIONS_GAME_DATA or in ../shared/data/relations_game. Ends without it."""
    beside = Path(__file__).parents[2] / "shared" / "data" / "relations_game"
    path = Path(os.environ.get("RELATIONS_GAME_DATA") or beside, name)
    return path if path.exists() else sys.exit(f"no {path}: set RELATIONS_GAME_DATA (README says where the files are)")


def programs(model: Model, images: np.ndarray) -> list[str]:
    """The programs of `images` (B, H, W, 3), taken as one batch."""
    return [write_program(scene, model=model, image=INFO) for scene in perceiver_of(model).perceive(images)]


def take_turns(
    cases: Mapping[str, Callable[[], object]], turns: int, clock: Callable[[], float] = perf_counter
) -> dict[str, list[float]]:
    """Seconds of each turn of each case. The cases take turns, so that what else the machine does hurts all alike.

    A first turn, which reads files and fills caches, does not count.
    """
    seconds: dict[str, list[float]] = {name: [] for name in cases}
    for turn in range(turns + 1):
        for name, case in cases.items():
            start = clock()
            case()
            if turn:
                seconds[name].append(clock() - start)
    return seconds


def spent() -> float:
    """Seconds of processors that ended processes have taken."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def least(case: Callable[[], object], turns: int) -> float:
    """The fewest seconds that one case took."""
    return min(take_turns({"": case}, turns)[""])


def machine() -> dict[str, object]:
    """What this runs on; no names of hosts."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    swipl = subprocess.run(["swipl", "--version"], capture_output=True, text=True, check=True).stdout.split()
    return {
        "cores": len(os.sched_getaffinity(0)),
        "processor": models[0] if models else platform.machine(),
        "Python": platform.python_version(),
        "SWI-Prolog": next((word for word in swipl if word[0].isdecimal()), "?"),
    }


def print_machine() -> None:
    """What this runs on."""
    print(", ".join(f"{name} {value}" for name, value in machine().items()), end="\n\n")


def figure(share: float | None, digits: int = 3) -> str:
    """With so many digits; a dash for what is not measured."""
    return "–" if share is None else f"{share:.{digits}f}"


def print_head(*names: str) -> None:
    """The head of a Markdown table. All columns but the first are of numbers."""
    print_row(*names)
    print_row("---", *["---:"] * (len(names) - 1))


def print_row(*cells: object) -> None:
    """Cells of a Markdown table; fractions are shown with four digits."""
    print(
        "| " + " | ".join(f"{cell:.4f}" if isinstance(cell, float) else str(cell) for cell in cells) + " |", flush=True
    )
