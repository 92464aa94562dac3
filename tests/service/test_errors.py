"""Every error of the project has a meaning for users and for HTTP clients."""

import importlib
from types import ModuleType

import pytest

import bridge.errors
import domains.errors
import neural.errors
import quoting
import service.errors
import symbolic.errors
from service.errors import FAILURES, failure

MODULES = [quoting, neural.errors, domains.errors, bridge.errors, symbolic.errors, service.errors]


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
    assert issubclass(getattr(importlib.import_module(module), cls), Exception)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_every_error_class_has_a_meaning(module: ModuleType) -> None:
    classes = errors_of(module)
    assert classes
    for cls in classes:
        found = failure(cls.__new__(cls))
        assert found is not None, cls
        assert found.exit_status >= 2
        assert 400 <= found.http_status < 600


def test_the_nearest_class_decides() -> None:
    class Odd(domains.errors.ImageError):
        pass

    assert failure(Odd("odd")) == FAILURES["domains.errors.ImageError"]
    assert failure(KeyError()) is None
    assert failure(ValueError()) is None
