"""SciPy's image functions, `ndimage`, without most of what is loaded with them: some 0.18 s of every process.

For other array libraries SciPy copies all names of numpy, whose modules are loaded for that, and rewrites what its
functions' documentation says. Its rotation, which is not used here, loads all its special functions.
"""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import scipy

from predinet_prolog.lazily import lazily

try:
    from scipy._lib._docscrape import FunctionDoc
except ImportError:  # SciPy's own business, which may look otherwise one day
    FunctionDoc = type("FunctionDoc", (), {})


@contextmanager
def _lean() -> Iterator[None]:
    """While it is open, SciPy rewrites no documentation, and modules wait until something of them is used."""
    places = [(np, "f2py"), (np, "ma"), (np, "polynomial"), (np, "testing"), (scipy, "special")]
    waiting = [
        (package, name, lazily(f"{package.__name__}.{name}")) for package, name in places if name not in vars(package)
    ]
    methods = FunctionDoc.__init__, FunctionDoc.__str__
    for package, name, module in waiting:
        setattr(package, name, module)
    FunctionDoc.__init__ = lambda self, *_, **__: setattr(self, "_parsed_data", defaultdict(list))
    FunctionDoc.__str__ = lambda _: "\n"
    try:
        yield
    finally:
        FunctionDoc.__init__, FunctionDoc.__str__ = methods
        for package, name, module in waiting:
            if vars(package).get(name) is module:
                delattr(package, name)


with _lean():
    from scipy import ndimage as ndimage
