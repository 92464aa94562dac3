"""Which theories there are, and what they define. Their rules are tested one by one in the .plt files."""

import re

import pytest

from predinet_prolog.symbolic import theory, theory_names
from predinet_prolog.symbolic.rules import defining_theories


@pytest.mark.parametrize("name", theory_names())
def test_every_exported_predicate_is_documented(name: str) -> None:
    exported = {predicate for predicate, source in defining_theories().items() if source == name}
    documented = re.findall(r"^%! +(\w+)\((.*)\) is (?:det|nondet|semidet)\.$", theory(name).text, re.MULTILINE)
    assert exported
    assert {f"{name}/{arguments.count(',') + 1}" for name, arguments in documented} >= exported


def test_a_theory_that_is_not_there_is_an_error_that_names_those_that_are() -> None:
    with pytest.raises(KeyError, match="no theory is called chess: there are cards, clevr, episodes, intervals"):
        theory("chess")
