"""What the errors say."""

from symbolic import UnknownPredicateError


def test_an_unknown_predicate_among_very_many_is_told_quickly_and_briefly() -> None:
    known = [f"p{i}/{i % 3}" for i in range(300_000)]
    message = str(UnknownPredicateError("nowhere/1", known))
    assert message.startswith("unknown predicate nowhere/1: the program and the rules define p0/0, p1/1, p10/1, ")
    assert message.endswith(" and 299,500 more")
    assert len(message) < 6000
    assert "did you mean" in str(UnknownPredicateError("p250/7", known))
