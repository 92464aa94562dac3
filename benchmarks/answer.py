"""An answer at the shell: seconds from the command to the end of the process; files lie in the disk's cache, compiled.

    python benchmarks/answer.py [--times N] [--cpu]

Each command takes turns with its peers, and the median of its turns counts. The peers do the least that no such command
can do without: start Python, start SWI-Prolog, load numpy, load torch.
"""

import os
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from statistics import median

from PIL import Image

from benchmarks.shared import COMMAND, GAME, options, print_head, print_machine, print_row, spent, take_turns

BUTTONS = Path(__file__).parents[1] / "examples/own_pictures/pictures/buttons.jpg"
PEERS = {
    "predinet-prolog --version": ["python -c pass"],
    "predinet-prolog --help": ["python -c pass"],
    "predinet-prolog query PROGRAM.pl": ["python -c pass", "swipl -g true -t halt"],
    "predinet-prolog query IMAGE": ["python -c 'import numpy, onnxruntime'"],
    "predinet-prolog query buttons.jpg": ["python -c 'import numpy, onnxruntime'"],
}
"""What a command cannot do without."""


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--cpu", action="store_true", help="seconds of processors, which a busy machine changes less")
    arguments = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    print_machine()
    with tempfile.TemporaryDirectory() as place:
        image, program = Path(place, "image.png"), Path(place, "image.pl")
        Image.fromarray(GAME.generate("between", 1, seed=3).images[0]).save(image)
        subprocess.run([COMMAND, "export", image, "-o", program], check=True)
        cases = {name: partial(subprocess.check_output, words) for name, words in commands(image, program).items()}
        seconds = take_turns(cases, arguments.times, spent if arguments.cpu else time.perf_counter)
    print_head("command", "median, s", "least, s", "least, of its peers'")
    for name, turns in seconds.items():
        peers = sum(min(seconds[peer]) for peer in PEERS.get(name, ()))
        print_row(name, f"{median(turns):.3f}", f"{min(turns):.3f}", f"{min(turns) / peers:.1f}" if peers else "")


def commands(image: Path, program: Path) -> dict[str, list[str]]:
    """What is timed, by name."""
    return {
        "predinet-prolog --version": [COMMAND, "--version"],
        "predinet-prolog --help": [COMMAND, "--help"],
        "predinet-prolog query PROGRAM.pl": [COMMAND, "query", str(program), "object(X)"],
        "predinet-prolog query IMAGE": [COMMAND, "query", str(image), "object(X)"],
        "predinet-prolog query buttons.jpg": [COMMAND, "query", str(BUTTONS), "object(X)"],
        "swipl -g true -t halt": ["swipl", "-g", "true", "-t", "halt"],
        "swipl -g GOAL PROGRAM.pl": ["swipl", "-g", "forall(object(X), (print(X), nl))", "-t", "halt", str(program)],
        "python -c pass": [sys.executable, "-c", "pass"],
        "python -c 'import numpy, onnxruntime'": [sys.executable, "-c", "import numpy, onnxruntime"],
        "python -c 'import torch'": [sys.executable, "-c", "import torch"],
    }


if __name__ == "__main__":
    main()
