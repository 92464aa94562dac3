"""Finding SWI-Prolog, and running it."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from predinet_prolog.lazily import lazily
from predinet_prolog.symbolic.errors import SwiPrologMissingError, WorkerError

zipfile = lazily("zipfile")

_OLDEST = 9_00_00  # 9.0.0, as SWI-Prolog numbers itself
_INSTALL = (
    "install version 9.0 or later: `apt-get install swi-prolog-nox` on Debian or Ubuntu, "
    "`brew install swi-prolog` on macOS, else from https://www.swi-prolog.org"
)
_HOST = Path(__file__).with_name("host.pl")
_SAVE = """
    use_module(library(qsave)), current_prolog_flag(argv, [State]),
    qsave_program(State, [class(development), autoload(false), goal(true)])
"""
_saving = threading.Lock()
KEPT_SECONDS = 30 * 24 * 3600
"""A saved state that is older gives way when another is made."""


class SwiProlog(NamedTuple):
    """An installed SWI-Prolog: its shared library, and its home, the folder of its own files."""

    library: Path
    home: Path


def find_swi_prolog() -> SwiProlog:
    """The SWI-Prolog whose `swipl` is on PATH. Raises SwiPrologMissingError if it is absent or too old.

    What `swipl` says of itself is kept in the user's cache until it or its library changes: to start it takes as long
    as a worker's Prolog does.
    """
    places = (Path(folder, "swipl") for folder in os.get_exec_path())  # shutil's `which` is slow to load
    executable = next((str(place) for place in places if place.is_file() and os.access(place, os.X_OK)), None)
    if executable is None:
        raise SwiPrologMissingError(f"SWI-Prolog is missing (no swipl on PATH): {_INSTALL}")
    file = _cache() / f"swipl.{_digest(executable, Path(executable).stat().st_mtime_ns)}.json"
    with suppress(OSError, ValueError):
        library, home, library_changed = json.loads(file.read_bytes())
        if Path(library).stat().st_mtime_ns == library_changed and Path(home).is_dir():
            return SwiProlog(Path(library), Path(home))
    swi_prolog = _described(executable)
    unfinished = file.with_suffix(f".{os.getpid()}")
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_text(json.dumps([*map(str, swi_prolog), swi_prolog.library.stat().st_mtime_ns]))
        unfinished.replace(file)
    return swi_prolog


def _described(executable: str) -> SwiProlog:
    """What `swipl` says of itself. Raises SwiPrologMissingError."""
    command, nothing = [executable, "--dump-runtime-variables"], subprocess.DEVNULL
    try:
        output = subprocess.check_output(command, stdin=nothing, stderr=nothing, text=True, timeout=30)
    except (OSError, subprocess.SubprocessError) as error:
        raise SwiPrologMissingError(f"{executable} does not run ({error}): {_INSTALL}") from error
    variables = dict(re.findall(r'(?m)^(\w+)="(.*)";$', output))
    version = int(variables.get("PLVERSION", "0"))
    if version < _OLDEST:
        number = f"{version // 10_000}.{version // 100 % 100}.{version % 100}"
        raise SwiPrologMissingError(f"SWI-Prolog {number} ({executable}) is too old: {_INSTALL}")
    library, home = Path(variables.get("PLLIBSWIPL", "")), Path(variables.get("PLBASE", ""))
    if not library.is_file() or not home.is_dir():
        raise SwiPrologMissingError(f"{executable} comes without its shared library, libswipl: {_INSTALL}")
    return SwiProlog(library, home)


def worker_command(*, trust: bool, base: Path | None, checks: bool) -> tuple[list[str], Mapping[str, Any]]:
    """The command of a worker process, and the options to start it with: an empty environment, no terminal. It may
    `trust` what it is asked, begins with loading the compiled program `base`, and `checks` texts if nobody has.

    Raises SwiPrologMissingError.
    """
    swi_prolog = find_swi_prolog()
    python = [sys.executable, "-S", "-P", *(["-B"] if sys.dont_write_bytecode else [])]
    pyswip = importlib.util.find_spec("pyswip")
    assert pyswip is not None, "pyswip is a dependency"
    assert pyswip.origin is not None
    paths = [str(Path(pyswip.origin).parent), str(swi_prolog.home), str(compiled_host(swi_prolog))]
    paths += [str(base.resolve()) if base else "", "trust" * trust]
    begin = "from predinet_prolog.symbolic.child import main; "
    checking = "from predinet_prolog.symbolic.precheck import refusal; main(refusal)"
    return [*python, "-c", begin + (checking if checks else "main()"), *paths], {
        "env": {
            "PYTHONPATH": str(_HOST.parents[2]),
            "HOME": "/nonexistent",  # Prolog would load the init file of the account whose HOME it knows
            "LC_ALL": "C.UTF-8",
            "LIBSWIPL_PATH": str(swi_prolog.library),  # both for pyswip, which searches for them otherwise
            "SWI_HOME_DIR": str(swi_prolog.home),
        },
        "cwd": "/",
        "stderr": subprocess.DEVNULL,
        "start_new_session": True,  # Ctrl-C in a terminal is for the parent alone
    }


def compiled_host(swi_prolog: SwiProlog) -> Path:
    """host.pl and all that it loads as a saved state, which Prolog loads in a fourth of the time.

    It lies in the user's cache, so that nothing stays of a package that is uninstalled, and is made again when a source
    or SWI-Prolog has changed. Where it cannot be made, this is host.pl itself.
    """
    sources = [path.read_bytes() for path in sorted(_HOST.parent.glob("*.pl"))]
    state = _cache() / f"host.{_digest(swi_prolog, swi_prolog.library.stat().st_mtime_ns, *sources)}.state"
    with _saving:
        return state if state.is_file() or _save_host(state) else _HOST


def _cache() -> Path:
    """The user's, where platformdirs, which is slow to load, has it too."""
    default = os.path.expanduser("~/Library/Caches" if sys.platform == "darwin" else "~/.cache")  # noqa: PTH111 (homeless)
    return Path(os.environ.get("XDG_CACHE_HOME") or default, "predinet-prolog")


def _digest(*parts: object) -> str:
    texts = (part if isinstance(part, bytes) else repr(part).encode() for part in parts)
    return importlib.util.source_hash(b"\0".join(texts)).hex()  # hashlib is slow to load


def _save_host(state: Path) -> bool:
    """Makes `state`, in place of those that are long out of date: others may be another installation's. Returns whether
    that was possible."""
    packed, unfinished = (state.with_suffix(f".{os.getpid()}.{ending}") for ending in ("packed", "unpacked"))
    outdated = [path for path in state.parent.glob("host.*") if path.stat().st_mtime < time.time() - KEPT_SECONDS]
    try:
        state.parent.mkdir(parents=True, exist_ok=True)
        if not os.access(state.parent, os.W_OK):
            return False
        run_swipl("-g", _SAVE, "-t", "halt", _HOST, "--", packed)
        with zipfile.ZipFile(packed) as members, zipfile.ZipFile(unfinished, "w") as stored:
            for name in members.namelist():  # to unpack them takes a fifth of Prolog's start
                stored.writestr(name, members.read(name))
        packed.unlink()
        unfinished.replace(state)
        for path in outdated:
            path.unlink(missing_ok=True)
    except (OSError, WorkerError):
        return False
    return True


def run_swipl(*arguments: str | Path, text: str = "", seconds: float = 60) -> subprocess.CompletedProcess[str]:
    """Runs `swipl` with the arguments, `text` being its input, as it would run anywhere: with nobody's init file, packs
    or locale. Raises WorkerError if that takes longer than `seconds`, and SwiPrologMissingError."""
    find_swi_prolog()
    environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"}
    try:
        return subprocess.run(
            ["swipl", "-f", "none", *arguments],
            env=environment,
            input=text,
            capture_output=True,
            encoding="utf-8",
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        raise WorkerError(f"swipl took longer than {seconds:g} s") from None
