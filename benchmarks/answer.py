"""An answer at the shell: seconds from the command to the end of the process, all files in the disk's cache.

    python benchmarks/answer.py [--times N]

Each command takes turns with its peers, and the median of its turns counts. The peers do the least that no such command
can do without: start Python, start SWI-Prolog, load numpy, load torch.
"""

import argparse
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from PIL import Image

from benchmarks.load.report import machine
from domains.relations_game import generate

COMMAND = str(Path(sysconfig.get_path("scripts")) / "predinet-prolog")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--times", type=int, default=5)
    times = parser.parse_args().times
    print(", ".join(f"{name} {value}" for name, value in machine().items()), end="\n\n")
    with tempfile.TemporaryDirectory() as place:
        image, program = Path(place, "image.png"), Path(place, "image.pl")
        Image.fromarray(generate("between", 1, seed=3).render()[0]).save(image)
        subprocess.run([COMMAND, "export", image, "-o", program], check=True)
        seconds = measure(commands(image, program), times)
    print("| command | median, s | least, s |")
    print("|---|---:|---:|")
    for name, turns in seconds.items():
        print(f"| {name} | {median(turns):.3f} | {min(turns):.3f} |")


def commands(image: Path, program: Path) -> dict[str, list[str]]:
    """What is timed, by name."""
    return {
        "predinet-prolog --help": [COMMAND, "--help"],
        "predinet-prolog query PROGRAM.pl": [COMMAND, "query", str(program), "object(X)"],
        "predinet-prolog query IMAGE": [COMMAND, "query", str(image), "object(X)"],
        "swipl -g true -t halt": ["swipl", "-g", "true", "-t", "halt"],
        "swipl -g GOAL PROGRAM.pl": ["swipl", "-g", "forall(object(X), (print(X), nl))", "-t", "halt", str(program)],
        "python -c pass": [sys.executable, "-c", "pass"],
        "python -c 'import numpy'": [sys.executable, "-c", "import numpy"],
        "python -c 'import torch'": [sys.executable, "-c", "import torch"],
    }


def measure(wanted: dict[str, list[str]], times: int) -> dict[str, list[float]]:
    """Seconds of each turn of each command; a first one, which reads the files, does not count."""
    seconds: dict[str, list[float]] = {name: [] for name in wanted}
    for turn in range(times + 1):
        for name, command in wanted.items():
            start = perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            if turn:
                seconds[name].append(perf_counter() - start)
    return seconds


if __name__ == "__main__":
    main()
