"""What a process is spared, and that nobody misses it."""

import subprocess
import sys

NEEDLESS = ("numpy.f2py", "numpy.ma", "numpy.polynomial", "numpy.testing", "scipy.special")


def printed(code: str) -> list[str]:
    return subprocess.check_output([sys.executable, "-c", code], text=True).splitlines()


def test_image_functions_load_little_and_leave_all_as_it_was() -> None:
    loaded, modules, documented = printed(
        f"""
import sys
from predinet_prolog.imaging import ndimage
print([name for name in {NEEDLESS} if name in sys.modules])
import numpy as np, scipy
from scipy._lib._docscrape import FunctionDoc
print([module.__name__ for module in (np.f2py, np.ma, np.polynomial, np.testing, scipy.special)])
print("Parameters" in str(FunctionDoc(np.sum)), ndimage.rotate(np.eye(2), 90).round().tolist())
"""
    )
    assert loaded == "[]"
    assert modules == str([*NEEDLESS])
    assert documented == "True [[0.0, 1.0], [1.0, 0.0]]"


def test_what_a_command_has_made_is_not_looked_through_when_it_ends() -> None:
    last = "import atexit, gc; atexit.register(lambda: print(gc.get_freeze_count() > 0))"
    assert printed(f"{last}; import predinet_prolog.service.cli") == ["True"]
