"""What a process is spared, and that nobody misses it."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from predinet_prolog.domains.pixels import quantile
from predinet_prolog.symbolic import Engine, Pool, ProgramError
from predinet_prolog.symbolic.channel import Channel

ROOT = Path(__file__).parents[1]
NEEDLESS = ("numpy.f2py", "numpy.ma", "numpy.polynomial", "numpy.testing", "scipy.special")
ASKED = """
import sys
from predinet_prolog.service.cli import main
main(["query", sys.argv[1], sys.argv[2]])
print([name for name in sys.argv[3:] if name in sys.modules])
"""


def printed(code: str, *arguments: object) -> list[str]:
    return subprocess.check_output([sys.executable, "-c", code, *map(str, arguments)], text=True).splitlines()


def test_image_functions_load_little_and_leave_all_as_it_was() -> None:
    loaded, modules, documented = printed(
        """
import sys
from predinet_prolog.imaging import ndimage
print([name for name in sys.argv[1:] if name in sys.modules])
import numpy as np, scipy
from scipy._lib._docscrape import FunctionDoc
print([module.__name__ for module in (np.f2py, np.ma, np.polynomial, np.testing, scipy.special)])
print("Parameters" in str(FunctionDoc(np.sum)), ndimage.rotate(np.eye(2), 90).round().tolist())
""",
        *NEEDLESS,
    )
    assert loaded == "[]"
    assert modules == str([*NEEDLESS])
    assert documented == "True [[0.0, 1.0], [1.0, 0.0]]"


def test_a_photograph_is_asked_without_what_nobody_needs() -> None:
    picture = ROOT / "examples" / "own_pictures" / "pictures" / "buttons.jpg"
    assert printed(ASKED, picture, "object(ob_8)", *NEEDLESS) == ["true.", "[]"]


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.uint8])
@pytest.mark.parametrize("share", [0.0, 0.4, 0.5, 0.98])
def test_quantiles_are_those_of_numpy(kind: type, share: float) -> None:
    rng = np.random.default_rng(0)
    for size in (2, 3, 5, 51, 1_000, 97_344):
        values = (rng.random((size, 2)) * 255).astype(kind)
        assert quantile(values, share) == np.quantile(values, share)


def test_a_program_is_asked_without_what_click_imports_and_help_is_as_it_was() -> None:
    texts = ["", " ", "  One\tline. ", "One,\n    two\n      three.\n\n"]
    same = """
import click, inspect
texts = sys.argv[6:]
print([click.core.inspect.cleandoc(text) for text in texts] == [inspect.cleandoc(text) for text in texts])
print(click.UUID.convert(f"{1:032x}", None, None).int)
"""
    program = ROOT / "tests" / "bridge" / "golden" / "scene.pl"
    said = ["true.", "[]", "True", "1"]
    assert printed(ASKED + same, program, "object(ob_0)", "ast", "inspect", "uuid", *texts) == said


def test_what_a_command_has_made_is_not_looked_through_when_it_ends() -> None:
    last = "import atexit, gc; atexit.register(lambda: print(gc.get_freeze_count() > 0))"
    assert printed(f"{last}; import predinet_prolog.service.cli") == ["True"]


def test_a_process_of_prolog_loads_no_more_than_it_needs() -> None:
    heavy = ("json", "re", "enum", "typing", "signal", "dataclasses")
    code = f"import sys, predinet_prolog.symbolic.child; print([name for name in {heavy} if name in sys.modules])"
    command = [sys.executable, "-S", "-P", "-c", code]
    assert subprocess.check_output(command, env={"PYTHONPATH": str(ROOT)}, text=True) == "[]\n"


async def test_texts_are_looked_at_by_processes_that_many_share_and_before_that_of_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Prolog's reader would crash."""
    deep = f"p({'[' * 200_000}{']' * 200_000})."
    sent = list[bytes]()
    exchange = Channel.exchange
    monkeypatch.setattr(Channel, "exchange", lambda *put: sent.append(put[1]) or exchange(*put))
    async with Pool(workers=1) as pool:
        with pytest.raises(ProgramError, match="brackets nested"):
            await pool.ask(deep, "true")
    assert any(len(message) > len(deep) for message in sent)
    sent.clear()
    with Engine() as engine, pytest.raises(ProgramError, match="brackets nested"):
        engine.ask(deep, "true")
    assert sent == [b""]
