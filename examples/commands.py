"""Command lines as a shell runs them, but that most of ours find loaded what they load.

    with Commands() as commands:
        commands.run("predinet-prolog query image.png 'object(X)'", folder)

A process loads the project once; every command of ours that needs no shell runs in a fork of it, whose state is that of
a process just started. All other lines are run by bash.
"""

import gc
import json
import os
import re
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Self

NAME = "predinet-prolog"
OF_A_SHELL = re.compile(r"[$`*?~\n();<>|&]")
"""What only a shell can read, unless it is quoted."""
QUOTED = re.compile(r"'[^']*'|\"[^\"$`\\]*\"")
LOADED = ["predinet_prolog.service.pictures.scene", "predinet_prolog.service.handlers", "predinet_prolog.imaging"]
"""Not onnxruntime, which starts a thread: a fork would lack it."""


class Commands:
    """Runs command lines of this environment. Leave its block to end the process that is held ready."""

    def __enter__(self) -> Self:
        self._ready = subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self

    def __exit__(self, *_: object) -> None:
        self._ready.communicate()

    def run(self, line: str, folder: Path) -> str:
        """What the line prints in the folder, errors included."""
        # The commands of this environment, and no settings of the user's own.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PREDINET_PROLOG_")}
        environment["PATH"] = sysconfig.get_path("scripts") + os.pathsep + environment["PATH"]
        with tempfile.NamedTemporaryFile() as printed:
            words = words_of(line)
            if words[:1] == [NAME]:
                assert self._ready.stdin is not None
                assert self._ready.stdout is not None
                request = json.dumps([words[1:], str(folder), environment, printed.name])
                self._ready.stdin.write(request.encode() + b"\n")
                self._ready.stdin.flush()
                assert self._ready.stdout.readline(), "the process that is held ready has ended"
            else:
                subprocess.run(
                    ["bash", "-c", line],
                    cwd=folder,
                    env=environment,
                    check=False,
                    stdin=subprocess.DEVNULL,
                    stdout=printed,
                    stderr=subprocess.STDOUT,
                )
            return Path(printed.name).read_text(encoding="utf-8")


def words_of(line: str) -> list[str]:
    """The words of a line, or none where it takes a shell to read it."""
    return [] if OF_A_SHELL.search(QUOTED.sub("", line)) else shlex.split(line, comments=True)


def serve() -> None:
    """Runs the commands that come on standard input, each in a fork; says when one has ended."""
    from predinet_prolog.service.cli import main
    from predinet_prolog.service.cli.app import COMMANDS

    for module in [*LOADED, *(f"predinet_prolog.service.cli.{module}" for module in COMMANDS.values())]:
        import_module(module)
    gc.freeze()  # what a fork does not touch, it shares
    for line in sys.stdin:
        words, folder, environment, path = json.loads(line)
        if os.fork() == 0:
            os.chdir(folder)
            os.environ.clear()
            os.environ.update(environment)
            for number, file in enumerate((os.devnull, path, path)):
                os.dup2(os.open(file, os.O_RDWR | os.O_APPEND), number)
            status = main(words)
            sys.stdout.flush()
            os._exit(status)  # to take down what was loaded would take as long as to load it
        os.wait()
        print(flush=True)


if __name__ == "__main__":
    serve()
