"""The house: rooms from this checkout, and data that flows one way."""

import ast
import re
import tomllib
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import predinet_prolog
from predinet_prolog import symbolic
from tests.cases import cases

PACKAGES = ("quoting", "domains", "neural", "bridge", "symbolic", "experiments", "service")
CASES = cases(__file__)
ONE_DOOR = {"pyswip": "symbolic/child.py", "onnxruntime": "neural/sessions.py"}
"""Where alone a library is imported."""
LATE = {"symbolic/child.py": {"pyswip"}}
"""Who imports in a function what no extra brings: pyswip starts Prolog where nobody has got its place ready."""
DOMAIN = "domains/relations_game"
BUDGETS = {
    "quoting": (148, 105),
    "domains": (8_025, 3_301),
    "neural": (6_447, 2_491),
    "bridge": (7_829, 4_839),
    "symbolic": (12_753, 3_850),
    "experiments": (2_505, 759),
    "service": (12_270, 6_461),
    "benchmarks": (2_200, 121),
    "playground": (680, 151),
}
"""Most lines of Python, Prolog and JavaScript of a room, and of its tests. Who needs more takes some away elsewhere, or
says in the change why the house has to grow."""
NO_NOUNS = {"each", "found", "own", "told", "known", "seen", "shown", "others"}
"""Pronouns and participles: they do not say what they hold."""


def sources(root: Path, package: str) -> list[Path]:
    return sorted((root / package).rglob("*.py"))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def walk(node: ast.AST) -> list[ast.AST]:
    """It and all that is in it: most tests here look through every file."""
    return list(ast.walk(node))


@cache
def lazy(tree: ast.AST) -> list[tuple[ast.Call, str]]:
    """The modules that are named to be imported later: by `lazily` at the top of a module, by `import_module` where it
    is called."""
    calls = (node for node in walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))
    return [
        (call, str(call.args[0].value))
        for call in calls
        if isinstance(call.func, ast.Name)
        and call.func.id in {"lazily", "import_module"}
        and isinstance(call.args[0], ast.Constant)
    ]


@cache
def imports(path: Path) -> set[str]:
    """The packages, and of this project the rooms, that a file imports anywhere in it, function bodies included."""
    modules: set[str] = set()
    for node in walk(parsed(path)):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules |= {f"{node.module}.{alias.name}" for alias in node.names}
    modules |= {name for _, name in lazy(parsed(path))}
    names = {module.removeprefix("predinet_prolog.").split(".")[0] for module in modules}
    bare = {module for module in modules if module.split(".")[0] in PACKAGES}
    assert not bare, f"{path}: {bare}: a room is imported from predinet_prolog"
    return names


@pytest.mark.parametrize("package", PACKAGES)
def test_data_flows_one_way(root: Path, package: str) -> None:
    for path in sources(root, package):
        used = imports(path)
        assert used & set(PACKAGES) <= set(CASES["may_import"][package]), path
        assert not used & {*CASES["must_not_import"][package], *CASES["what_runs_code"]}, path


@cache
def optional(root: Path) -> set[str]:
    """What only extras bring, by the names that are imported, and modules of ours that cannot be imported without."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {named(line) for lines in project["optional-dependencies"].values() for line in lines}
    extras -= {named(line) for line in project["dependencies"]} | {project["name"]}
    modules = {package.replace("scikit-learn", "sklearn").replace("-", "_").lower() for package in extras}
    modules |= {"starlette", "safetensors.torch"}  # fastapi brings the one, and the other is torch's
    needs = {
        f"predinet_prolog.{'.'.join(path.relative_to(root).with_suffix('').parts).removesuffix('.__init__')}": {
            name
            for statement in parsed(path).body
            for node in ([statement] if not isinstance(statement, ast.Try) else statement.body)
            for name in imported(node)
        }
        for package in PACKAGES
        for path in sources(root, package)
    }
    more = modules
    while more:
        modules |= more
        more = {module for module, names in needs.items() if any(within(name, modules) for name in names)} - modules
    return modules


def named(requirement: str) -> str:
    return re.split(r"[^\w-]", requirement)[0]


def imported(node: ast.AST) -> set[str]:
    match node:
        case ast.Import():
            return {alias.name for alias in node.names}
        case ast.ImportFrom():
            return {f"{node.module}.{alias.name}" for alias in node.names}
    return set()


def within(name: str, modules: set[str]) -> bool:
    """Whether it is one of the modules, or something in one."""
    parts = name.split(".")
    return any(".".join(parts[:length]) in modules for length in range(1, len(parts) + 1))


@pytest.mark.parametrize("package", PACKAGES)
def test_only_what_extras_bring_is_imported_in_a_function(root: Path, package: str) -> None:
    late = {
        f"{place}:{line}: {name}"
        for path in sources(root, package)
        for place in [path.relative_to(root).as_posix()]
        for function in walk(parsed(path))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for line, name in [
            *((node.lineno, name) for node in walk(function) for name in imported(node) if hasattr(node, "lineno")),
            *((call.lineno, name) for call, name in lazy(function)),
        ]
        if not within(name, optional(root) | LATE.get(place, set()))
    }
    assert not late, "\n".join(sorted(late))


@pytest.mark.parametrize("library", ONE_DOOR)
def test_a_library_has_one_door(root: Path, library: str) -> None:
    folders = [folder for folder in root.iterdir() if folder.name not in {".venv", "out", "build", "predinet_prolog"}]
    files = (path for folder in folders for path in folder.rglob("*.py") if library in path.read_text(encoding="utf-8"))
    doors = [path.relative_to(root).as_posix() for path in files if library in imports(path)]
    assert doors == [ONE_DOOR[library]]


def test_the_rooms_of_the_service_have_an_order(root: Path) -> None:
    """What is shown and kept knows neither of its users, and these meet in one command alone."""
    for path in sources(root, "service"):
        place = path.relative_to(root / "service").as_posix()
        own = "serving" if place == "cli/serving.py" else place.partition("/")[0]
        forbidden = CASES["service"].get(own, CASES["service"]["others"])
        used = re.findall(r"^\s*(?:from|import) predinet_prolog\.service\.(\w+)", path.read_text("utf-8"), re.M)
        assert not set(forbidden) & set(used), path


def test_only_the_domain_knows_its_world(root: Path) -> None:
    """Neither its words nor its modules stand outside of it; `experiments` are those of the paper, about its game."""
    told = []
    for package in sorted(set(PACKAGES) - {"experiments"}):
        for path in sorted((root / package).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix not in {".py", ".pl", ".js", ".html", ".css"} or name.startswith(
                (f"{DOMAIN}/", "neural/models/")
            ):
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
                for what, words in CASES["of_the_domain"].items():
                    if what not in CASES["may_say"].get(name, ()) and re.search(words, line):
                        told.append(f"{name}:{number}: {what}: {line.strip()}")
    assert not told, "\n".join(told)


@pytest.mark.parametrize("package", PACKAGES)
def test_names_are_nouns(root: Path, package: str) -> None:
    nodes = [(path, node) for path in sources(root, package) for node in walk(parsed(path))]
    assert nodes
    assert [f"{path}:{node.lineno}: {name}" for path, node in nodes for name in bound_by(node) & NO_NOUNS] == []


def bound_by(node: ast.AST) -> set[str | None]:
    """The names that a node gives a value to."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.MatchAs(name=name) | ast.MatchStar(name=name):
            return {name}
        case ast.alias(asname=name) | ast.ExceptHandler(name=name):
            return {name}
    return set()


@pytest.mark.parametrize("room", BUDGETS)
def test_a_room_keeps_to_its_budget(root: Path, room: str) -> None:
    lines = tuple(
        sum(
            path.read_text(encoding="utf-8").count("\n")
            for path in folder.rglob("*")
            if path.suffix in {".py", ".pl", ".plt", ".js"}
        )
        for folder in (root / room, root / "tests" / room)
    )
    assert lines[0] <= BUDGETS[room][0], f"{room}: {lines[0]} lines"
    assert lines[1] <= BUDGETS[room][1], f"tests/{room}: {lines[1]} lines"


def test_no_pattern_repeats_a_group_possessively(root: Path) -> None:
    """Python before 3.11.5 (Debian 12 has 3.11.2) reads too little by one, and says nothing."""
    text = "".join(path.read_text(encoding="utf-8") for room in PACKAGES for path in sources(root, room))
    assert not re.findall(r"[^\\]\)(?:[*+?]|\{\S*\})\+.*", text)


def test_symbolic_offers_what_it_lists() -> None:
    """What its modules import for themselves is theirs."""
    assert [name for name in symbolic.__all__ if not hasattr(symbolic, name)] == []
    assert not hasattr(symbolic, "Sequence")


def test_no_circles(root: Path) -> None:
    """Not by imports in function bodies either; what types alone need is left aside."""
    paths = [(path, path.relative_to(root).with_suffix("").parts) for room in PACKAGES for path in sources(root, room)]
    files = {".".join(parts).removesuffix(".__init__"): path for path, parts in paths}
    graph: dict[str, set[str]] = {module: set() for module in files}
    for module, path in files.items():
        tree = parsed(path)
        blocks = (node for node in walk(tree) if isinstance(node, ast.If))
        for_types = {id(part) for block in blocks if ast.unparse(block.test) == "TYPE_CHECKING" for part in walk(block)}
        for node in walk(tree):
            if isinstance(node, ast.ImportFrom) and id(node) not in for_types:
                source = (node.module or "").removeprefix("predinet_prolog.")
                names = {f"{source}.{alias.name}" for alias in node.names}
                graph[module] |= (names & files.keys() or {source} & files.keys()) - {module}
        graph[module] |= {name.removeprefix("predinet_prolog.") for _, name in lazy(tree)} & files.keys()
    TopologicalSorter(graph).prepare()  # a CycleError names the modules


def test_the_package_is_links_to_the_rooms_of_this_checkout(root: Path) -> None:
    folder = Path(predinet_prolog.__file__).parent
    assert folder == root / "predinet_prolog"
    links = {path.name: path.resolve() for path in folder.iterdir() if path.is_symlink()}
    assert links == {package: root.resolve() / package for package in PACKAGES}


def test_faults_can_be_planted_and_their_tests_are_there(root: Path) -> None:
    """The list of scripts/plant fits the code."""
    planted = tomllib.loads((root / "scripts" / "planted.toml").read_text(encoding="utf-8"))
    assert planted
    for name, fault in planted.items():
        assert (root / fault["file"]).read_text(encoding="utf-8").count(fault["text"]) == 1, name
        assert fault["text"] != fault["faulty"], name
        for test in fault["tests"]:
            file, function = test.split("::")
            assert f"def {function}(" in (root / file).read_text(encoding="utf-8"), f"{name}: {test}"
