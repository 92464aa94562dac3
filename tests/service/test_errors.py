"""Every error of the project has a meaning for users and for HTTP clients."""

import importlib
from types import ModuleType

import pytest

from predinet_prolog import quoting
from predinet_prolog.bridge import errors as of_bridge
from predinet_prolog.domains import errors as of_domains
from predinet_prolog.neural import errors as of_neural
from predinet_prolog.service import errors as of_service
from predinet_prolog.service.errors import FAILURES, failure
from predinet_prolog.symbolic import errors as of_symbolic

MODULES = [quoting, of_neural, of_domains, of_bridge, of_symbolic, of_service]


def errors_of(module: ModuleType) -> list[type[Exception]]:
    found = vars(module).values()
    return [
        cls
        for cls in found
        if isinstance(cls, type) and issubclass(cls, Exception) and cls.__module__ == module.__name__
    ]


@pytest.mark.parametrize("name", FAILURES)
def test_every_entry_names_a_class(name: str) -> None:
    module, _, cls = name.rpartition(".")
    assert issubclass(getattr(importlib.import_module(f"predinet_prolog.{module}"), cls), Exception)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_every_error_class_has_a_meaning(module: ModuleType) -> None:
    classes = errors_of(module)
    assert classes
    for cls in classes:
        found = failure(cls.__new__(cls))
        assert found is not None, cls
        assert found.exit_status >= 2
        assert 400 <= found.http_status < 600
