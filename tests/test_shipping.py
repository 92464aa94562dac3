"""The container's files, as far as they can be checked without building it: what they name exists, and is strict."""

import fnmatch
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from service.settings import PREFIX, Settings, described, load_settings


class Step(NamedTuple):
    """An instruction of the Dockerfile."""

    name: str
    rest: str

    @property
    def words(self) -> list[str]:
        """Its arguments, in JSON's form or separated by blanks."""
        return json.loads(self.rest) if self.rest.startswith("[") else self.rest.split()


@pytest.fixture(scope="module")
def steps(root: Path) -> list[Step]:
    lines = [line for line in (root / "Dockerfile").read_text().splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    return [Step(*line.split(maxsplit=1)) for line in joined.splitlines() if line.strip()]


@pytest.fixture(scope="module")
def last_stage(steps: list[Step]) -> list[Step]:
    start = max(index for index, step in enumerate(steps) if step.name == "FROM")
    return steps[start:]


@pytest.fixture(scope="module")
def compose(root: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((root / "compose.yaml").read_text())
    return found


@pytest.fixture(scope="module")
def container(compose: dict[str, Any]) -> dict[str, Any]:
    (found,) = compose["services"].values()
    return found


@pytest.fixture
def routes(tmp_path: Path) -> set[str]:
    from service.api import create_app

    return {route.path for route in create_app(load_settings(data=tmp_path)).routes}  # type: ignore[attr-defined]


def one(steps: list[Step], name: str) -> Step:
    (found,) = (step for step in steps if step.name == name)
    return found


def environment(steps: list[Step]) -> dict[str, str]:
    return dict(pair.split("=", 1) for step in steps if step.name == "ENV" for pair in step.words)


def health_paths(command: str) -> list[str]:
    return re.findall(r"http://127\.0\.0\.1:[^/]+(/\w+)", command)


def sources(steps: list[Step]) -> Iterator[str]:
    for step in steps:
        if step.name == "COPY" and "--from" not in step.rest:
            yield from step.words[:-1]


def test_what_is_copied_is_there_and_is_all_that_a_wheel_needs(root: Path, steps: list[Step]) -> None:
    copied = set(sources(steps))
    assert all((root / source).exists() for source in copied)
    project = tomllib.loads((root / "pyproject.toml").read_text())
    packages = {package.split(".")[0] for package in project["tool"]["setuptools"]["packages"]}
    needed = {"pyproject.toml", "constraints.txt", project["project"]["readme"], *project["project"]["license-files"]}
    assert copied == packages | needed


def test_the_build_sees_nothing_else(root: Path, steps: list[Step]) -> None:
    rules = [line for line in (root / ".dockerignore").read_text().splitlines() if line and line[0] != "#"]
    assert rules[0] == "*"
    assert {rule[1:] for rule in rules if rule[0] == "!"} == set(sources(steps))
    assert any(fnmatch.fnmatch("service/__pycache__", rule) for rule in rules[1:])


def test_the_container_is_not_run_by_root(last_stage: list[Step]) -> None:
    user, group = one(last_stage, "USER").rest.split(":")
    assert int(user) >= 1000
    assert int(group) >= 1000
    assert f"--uid {user} " in one(last_stage, "RUN").rest
    # Nothing is installed or changed as that user.
    names = [step.name for step in last_stage]
    assert not {"RUN", "COPY", "ADD"} & set(names[names.index("USER") :])


def test_what_runs_is_a_command_of_ours(root: Path, last_stage: list[Step]) -> None:
    import click

    from service.cli import app

    scripts = tomllib.loads((root / "pyproject.toml").read_text())["project"]["scripts"]
    (program,) = one(last_stage, "ENTRYPOINT").words
    assert program in scripts
    command, *options = one(last_stage, "CMD").words
    known = app.commands[command].get_params(click.Context(app))
    assert {option for option in options if option.startswith("--")} <= {name for each in known for name in each.opts}


def test_the_health_check_asks_a_real_route(
    last_stage: list[Step], container: dict[str, Any], routes: set[str]
) -> None:
    for command in (one(last_stage, "HEALTHCHECK").rest, container["healthcheck"]["test"][-1]):
        (path,) = health_paths(command)
        assert path in routes
        assert path == "/health"
    compile(container["healthcheck"]["test"][-1], "compose.yaml", "exec")
    compile(json.loads(one(last_stage, "HEALTHCHECK").rest.partition("CMD ")[2])[-1], "Dockerfile", "exec")


def test_the_settings_are_real_and_agree(
    last_stage: list[Step], container: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    given = environment(last_stage)
    variables = {setting.variable for setting in described()}
    ours = {name: value for name, value in given.items() if name.startswith(PREFIX)}
    composed = {
        name: re.sub(r"\$\{\w+:-(.*)\}", r"\1", value) for name, value in container["environment"].items()
    }  # where the variable is not set
    assert set(ours) | set(composed) <= variables
    for name, value in {**ours, **composed}.items():
        monkeypatch.setenv(name, value)
    settings = load_settings()
    assert settings.host == "0.0.0.0"
    assert settings.tokens == Settings.tokens
    (volume,) = one(last_stage, "VOLUME").words
    assert str(settings.data) == volume
    assert one(last_stage, "EXPOSE").words == [str(settings.port)]
    # Where the container may write: the volume and the temporary folder.
    assert given["MPLCONFIGDIR"].startswith("/tmp/")
    assert given["PYTHONDONTWRITEBYTECODE"] == "1"


def test_the_composition_takes_away_what_it_can(
    compose: dict[str, Any], container: dict[str, Any], steps: list[Step], last_stage: list[Step]
) -> None:
    assert container["read_only"] is True
    assert container["cap_drop"] == ["ALL"]
    assert "cap_add" not in container
    assert "privileged" not in container
    assert "no-new-privileges:true" in container["security_opt"]
    assert container["pids_limit"] <= 512
    assert re.fullmatch(r"\d+g", container["mem_limit"])
    assert container["memswap_limit"] == container["mem_limit"]
    (temporary,) = container["tmpfs"]
    assert temporary.startswith("/tmp:")
    assert {"noexec", "nosuid", "nodev"} <= set(temporary.partition(":")[2].split(","))
    (port,) = one(last_stage, "EXPOSE").words
    assert container["ports"] == [f"127.0.0.1:{port}:{port}"]
    (mount,) = container["volumes"]
    name, target = mount.split(":")
    assert name in compose["volumes"]
    assert target == one(last_stage, "VOLUME").rest
    arguments = {step.rest for step in steps if step.name == "ARG"}
    assert set(container["build"]["args"]) <= arguments


def test_the_packages_of_the_system_are_those_of_the_setup_script(root: Path, last_stage: list[Step]) -> None:
    assert "swi-prolog-nox" in one(last_stage, "RUN").rest
    assert "swi-prolog-nox" in (root / "scripts" / "setup-swipl").read_text()


def test_what_is_built_and_installed_is_pinned(root: Path, steps: list[Step], last_stage: list[Step]) -> None:
    pinned = set((root / "constraints.txt").read_text().split("\n"))
    project = tomllib.loads((root / "pyproject.toml").read_text())
    assert set(project["build-system"]["requires"]) <= pinned, "pip builds apart from what is installed"
    assert re.search(r"'swi-prolog-nox=9\.0\.4\*'", one(last_stage, "RUN").rest)
    installs = [step.rest for step in steps if step.name == "RUN" and "pip install" in step.rest]
    assert installs
    assert all("--constraint constraints.txt" in each for each in installs)


def test_every_pinned_package_is_in_the_list_of_licences(root: Path) -> None:
    rows = re.findall(r"^\| (\S+) \| (\S+) \| (.+) \|$", (root / "docs" / "third-party.md").read_text(), re.MULTILINE)
    listed = {f"{name}=={version}" for name, version, _ in rows}
    pinned = {line for line in (root / "constraints.txt").read_text().splitlines() if line and line[0] != "#"}
    assert pinned <= listed, "run: .venv/bin/python scripts/third-party > docs/third-party.md"
    assert all("unknown" not in licence.lower() for _, _, licence in rows)
