"""The container's files, as far as they can be checked without building it: what they name exists, and is strict."""

import fnmatch
import json
import re
import subprocess
import sys
import tomllib
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from predinet_prolog.service.settings import PREFIX, Settings, described, load_settings


class Step(NamedTuple):
    """An instruction of the Dockerfile."""

    name: str
    rest: str

    @property
    def words(self) -> list[str]:
        """Its arguments, in JSON's form or separated by blanks."""
        return json.loads(self.rest) if self.rest.startswith("[") else self.rest.split()


def read_steps() -> list[Step]:
    lines = [line for line in (ROOT / "Dockerfile").read_text().splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    return [Step(*line.split(maxsplit=1)) for line in joined.splitlines() if line.strip()]


ROOT = Path(__file__).parent.parent
STEPS = read_steps()
LAST_STAGE = STEPS[max(index for index, step in enumerate(STEPS) if step.name == "FROM") :]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
(CONTAINER,) = COMPOSE["services"].values()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PINNED = {line for line in (ROOT / "constraints.txt").read_text().splitlines() if line and line[0] != "#"}


def one(name: str) -> Step:
    """The last stage's only instruction of that name."""
    (found,) = (step for step in LAST_STAGE if step.name == name)
    return found


def sources() -> set[str]:
    """What is copied from this checkout."""
    copies = [step for step in STEPS if step.name == "COPY" and "--from" not in step.rest]
    return {word for step in copies for word in step.words[:-1]}


def test_what_is_copied_is_there_and_is_all_that_a_wheel_needs() -> None:
    assert all((ROOT / source).exists() for source in sources())
    package = ROOT / "predinet_prolog"
    packages = {package.name, *(path.name for path in package.iterdir() if path.is_symlink())}
    project = PROJECT["project"]
    needed = {"pyproject.toml", "constraints.txt", project["readme"], *project["license-files"]}
    assert sources() == packages | needed


def test_the_build_sees_nothing_else() -> None:
    rules = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and line[0] != "#"]
    assert rules[0] == "*"
    assert {rule[1:] for rule in rules if rule[0] == "!"} == sources()
    assert any(fnmatch.fnmatch("service/__pycache__", rule) for rule in rules[1:])


def test_the_container_is_not_run_by_root() -> None:
    user, group = one("USER").rest.split(":")
    assert min(int(user), int(group)) >= 1000
    installed, saved = (step for step in LAST_STAGE if step.name == "RUN")
    assert f"--uid {user} " in installed.rest
    assert saved.words[0].endswith("/bin/python")
    compile(saved.words[-1], "Dockerfile", "exec")
    # Nothing is installed or changed as that user.
    names = [step.name for step in LAST_STAGE]
    assert not {"RUN", "COPY", "ADD"} & set(names[names.index("USER") :])


def test_the_health_check_asks_a_real_route(tmp_path: Path) -> None:
    from predinet_prolog.service.api import create_app

    routes = {route.path for route in create_app(load_settings(data=tmp_path)).routes}
    assert "/health" in routes
    of_image = json.loads(one("HEALTHCHECK").rest.partition("CMD ")[2])[-1]
    for command in (of_image, CONTAINER["healthcheck"]["test"][-1]):
        compile(command, "health check", "exec")
        assert re.findall(r"http://127\.0\.0\.1:[^/]+(/\w+)", command) == ["/health"]


def test_the_settings_are_real_and_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    given = dict(pair.split("=", 1) for step in LAST_STAGE if step.name == "ENV" for pair in step.words)
    ours = {name: value for name, value in given.items() if name.startswith(PREFIX)}
    unset = partial(re.sub, r"\$\{\w+:-(.*)\}", r"\1")  # the value where the variable is not set
    composed = {name: unset(value) for name, value in CONTAINER["environment"].items()}
    assert set(ours) | set(composed) <= {setting.variable for setting in described()}
    for name, value in {**ours, **composed}.items():
        monkeypatch.setenv(name, value)
    settings = load_settings()
    assert (settings.host, settings.tokens) == ("0.0.0.0", Settings.tokens)
    (volume,) = one("VOLUME").words
    assert str(settings.data) == volume
    assert one("EXPOSE").words == [str(settings.port)]
    # Where the container may write: the volume and the temporary folder.
    assert given["MPLCONFIGDIR"].startswith("/tmp/")
    assert given["PYTHONDONTWRITEBYTECODE"] == "1"


def test_what_is_built_and_installed_is_pinned() -> None:
    assert set(PROJECT["build-system"]["requires"]) <= PINNED, "pip builds apart from what is installed"
    assert any(re.search(r"'swi-prolog-nox=9\.0\.4\*'", step.rest) for step in LAST_STAGE)
    assert "swi-prolog-nox" in (ROOT / "scripts" / "setup-swipl").read_text()
    installs = [step.rest for step in STEPS if step.name == "RUN" and "pip install" in step.rest]
    assert installs
    assert all("--constraint constraints.txt" in each for each in installs)
    code = re.search(r'python -c "(.*?)" > wanted.txt', installs[0])
    wanted = subprocess.check_output([sys.executable, "-c", code[1]], cwd=ROOT, text=True)
    assert {"numpy>=2", "fastapi>=0.165"} <= set(wanted.split("\n"))
    assert PROJECT["project"]["name"] not in wanted, "it is in no registry"


def test_every_pinned_package_is_in_the_list_of_licences() -> None:
    rows = re.findall(r"^\| (\S+) \| (\S+) \| (.+) \|$", (ROOT / "THIRD_PARTY.md").read_text(), re.MULTILINE)
    listed = {f"{name}=={version}" for name, version, _ in rows}
    assert listed >= PINNED, "run: .venv/bin/python scripts/third-party > THIRD_PARTY.md"
    assert all("unknown" not in licence.lower() for _, _, licence in rows)
