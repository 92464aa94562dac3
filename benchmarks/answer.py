"""An answer at the shell: seconds from the command to the end of the process, all files in the disk's cache.

    python benchmarks/answer.py [--times N]

Each command takes turns with its peers, and the median of its turns counts. The peers do the least that no such command
can do without: start Python, start SWI-Prolog, load numpy, load torch.
"""

import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from statistics import median

from PIL import Image

from benchmarks.shared import COMMAND, GAME, options, print_head, print_machine, print_row, take_turns


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--times", type=int, default=5)
    times = parser.parse_args().times
    print_machine()
    with tempfile.TemporaryDirectory() as place:
        image, program = Path(place, "image.png"), Path(place, "image.pl")
        Image.fromarray(GAME.generate("between", 1, seed=3).images[0]).save(image)
        subprocess.run([COMMAND, "export", image, "-o", program], check=True)
        run = partial(subprocess.run, check=True, stdout=subprocess.DEVNULL)
        seconds = take_turns({name: partial(run, words) for name, words in commands(image, program).items()}, times)
    print_head("command", "median, s", "least, s")
    for name, turns in seconds.items():
        print_row(name, f"{median(turns):.3f}", f"{min(turns):.3f}")


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


if __name__ == "__main__":
    main()
