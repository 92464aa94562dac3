"""Runs the examples and compares what they print with their transcripts.

    python examples/run.py            every example; says what differs and exits with 1 if anything does
    python examples/run.py --write    rewrites the transcripts

Each folder here holds a session.txt: lines that begin with "$ " are commands, the lines after each are what it
printed, and those that begin with "#" are remarks. Commands run in a copy of the folder. Those of PAGES of the docs, in
their console blocks, run in a folder that has the project's examples and docs, else nothing.
"""

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from examples.commands import Commands

HERE = Path(__file__).parent
DOCS = HERE.parent / "docs"
BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
PAGES = tuple(page for page in sorted(DOCS.glob("*.md")) if BLOCK.search(page.read_text(encoding="utf-8")))
NUMBER = re.compile(r"-?\d+\.\d+")
TOLERANCE = 0.002
"""The last digits of relation values depend on the machine's arithmetic."""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="rewrite the transcripts")
    write = parser.parse_args().write
    differing = 0
    with Commands() as commands:
        played = {folder / "session.txt": play(folder, commands) for folder in examples()}
        played |= {page: play_page(page, commands) for page in PAGES}
    for transcript, actual in played.items():
        if write:
            transcript.write_text(actual, encoding="utf-8")
        elif not agree(actual, transcript.read_text(encoding="utf-8")):
            differing += 1
            print(f"{transcript} differs; it printed:\n{actual}", file=sys.stderr)
    return 1 if differing else 0


def examples() -> list[Path]:
    """The folders with a transcript."""
    return sorted(path.parent for path in HERE.glob("*/session.txt"))


def play(folder: Path, commands: Commands) -> str:
    """The transcript of `folder`, with what its commands print now."""
    with tempfile.TemporaryDirectory() as place:
        copy = shutil.copytree(folder, Path(place) / folder.name)
        return "".join(play_in(copy, (folder / "session.txt").read_text(encoding="utf-8"), commands))


def play_page(page: Path, commands: Commands) -> str:
    """The page with what the commands in its console blocks print now, one after the other in one folder."""
    with tempfile.TemporaryDirectory() as place:
        for folder in (HERE, DOCS):
            (Path(place) / folder.name).symlink_to(folder)
        text = page.read_text(encoding="utf-8")
        return BLOCK.sub(lambda block: "".join(play_in(Path(place), block[0], commands)), text)


def play_in(place: Path, transcript: str, commands: Commands) -> Iterator[str]:
    """Piece by piece the transcript, with what its commands print now in the folder `place`."""
    printed = False
    for line in transcript.splitlines(keepends=True):
        if line.startswith("$ "):
            yield line + commands.run(line.removeprefix("$ ").rstrip("\n"), place)
            printed = True
        elif line.startswith("#") or (not line.strip() and not printed):
            if line.startswith("#") and printed:
                yield "\n"
            yield line
            printed = False


def agree(actual: str, expected: str) -> bool:
    """Whether two transcripts are the same but for the last digits of numbers."""
    if NUMBER.sub("0", actual) != NUMBER.sub("0", expected):
        return False
    pairs = zip(NUMBER.findall(actual), NUMBER.findall(expected), strict=True)
    return all(abs(float(one) - float(other)) <= TOLERANCE for one, other in pairs)


if __name__ == "__main__":
    sys.exit(main())
