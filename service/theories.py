"""Rules that come along, by the name that stands for them; and what a user can do about an error of a question."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from predinet_prolog.lazily import lazily
from predinet_prolog.service.settings import CLEVR_MODEL
from predinet_prolog.symbolic import errors
from predinet_prolog.symbolic.rules import Rules, theory, theory_names

difflib = lazily("difflib")  # what is right needs none
colours = lazily("predinet_prolog.bridge.colours")  # nor does what is right
english = lazily("predinet_prolog.bridge.english")  # a goal of Prolog needs none
prolog = lazily("predinet_prolog.quoting.prolog")
models = lazily("predinet_prolog.neural.glimpses.model")  # nor does what is right
vocabulary = lazily("predinet_prolog.bridge.vocabulary")

_LEARNED = re.compile(r"same(_\w+)?/2")
"""What a model says of an image if it has learned to: one need not have learned all of them."""


def shipped_rules(name: str) -> Rules | None:
    """The theory called `name`; None for any other text."""
    return theory(name) if name in theory_names() else None


def sent_rules(text: str) -> tuple[Rules, ...]:
    """The rules in a text that came with a question: clauses, and before them, on a line of its own, the name of the
    theory that comes along if it is wanted. What is said of the clauses has the line of the text."""
    if not text or text.isspace():
        return ()
    first, _, rest = text.lstrip().partition("\n")
    named = shipped_rules(first.strip())
    if named is None:
        return (Rules("rules", stopped(text)),)
    if not rest or rest.isspace():
        return (named,)
    return named, Rules("rules", "\n" * (text.count("\n") - rest.count("\n")) + stopped(rest))


def stopped(clauses: str) -> str:
    """The clauses with the last one's full stop, which it may lack."""
    return clauses if clauses.rstrip().endswith(".") else f"{clauses}."


def english_rules(categories: Iterable[str] = ()) -> Rules:
    """The English of the vocabulary, which questions in English need beside them, and what else things may be."""
    nouns = (f"english_category({prolog.atom(name)}).\n" for name in categories)
    return Rules("english", english.english() + "".join(nouns))


def close_name(name: str) -> str | None:
    """The name that was probably meant by one that stands for nothing; None if none is like it."""
    return next(iter(difflib.get_close_matches(name.removesuffix(Path(name).suffix), theory_names(), cutoff=0.8)), None)


def advice(error: BaseException) -> str:
    """The error's text, and what helps on the command line and in a request."""
    match error:
        case errors.UnknownPredicateError(predicate=word) if "at/2" in error.known and (
            goals := [row.template for row in vocabulary.VOCABULARY if row.indicator == word]
        ):
            return f"{error.fault}: of a film is asked what is so in frame T: at(T, {goals[0]})"
        case errors.UnknownPredicateError(theory=str(name)):
            return f"{error}: give that name as the first line of rules, on the command line --rules {name}"
        case errors.UnknownPredicateError(predicate=word) if (
            "colour/2" in error.known and word.removesuffix("/1") in _colours()
        ):
            colour = word.removesuffix("/1")
            return f"{error.fault}: {colour} is a word for colours: colour(X, {colour})"
        case errors.UnknownPredicateError(predicate=word) if goal := _meant(word, error.known):
            return f"{error.fault}: did you mean {goal}?"
        case errors.UnknownPredicateError(predicate="label/1"):
            return f"{error.fault}: rules tell it, such as `learn` writes, on the command line --rules FILE"
        case errors.UnknownPredicateError(predicate=word) if "object/1" in error.known and (
            kinds := {row.programs for row in vocabulary.VOCABULARY if row.indicator == word} & {"given", "zones"}
        ):
            file, option = ("zones", "zones") if "zones" in kinds else ("a detector", "detections")
            return f"{error.fault}: a file of {file} can tell it, on the command line --{option} FILE"
        case errors.UnknownPredicateError() if _could_be_learned(error):
            return (
                f"{error.fault}: the model that saw the image does not tell it: "
                "look at the image with one that does, on the command line --model NAME"
            )
        case errors.EnglishError(word=str(word)) if word.removesuffix("s") in _words_of_clevr():
            return f"{error}; {CLEVR_MODEL} tells it of pictures of CLEVR, on the command line --model {CLEVR_MODEL}"
        case errors.ForbiddenError(loads=True):
            return f"{error}, on the command line with --rules FILE"
    return str(error)


def place(error: BaseException) -> dict[str, str | int]:
    """Where an error of a query or of rules is, as members of a problem."""
    names = ("name", "line", "position") if isinstance(error, errors.ProgramError | errors.QuerySyntaxError) else ()
    return {name: value for name in names if (value := getattr(error, name, None)) is not None}


@cache
def _colours() -> set[str]:
    return {clause.head.arguments[0] for clause in colours.COLOURS if clause.head.name == "palette"}


@cache
def _words_of_clevr() -> set[str]:  # read once: a service is asked many wrong words
    return {word for words in models.load_any(CLEVR_MODEL).config.words.values() for word in words}


def _meant(predicate: str, names: Sequence[str]) -> str | None:
    """The goal, of one of the predicates of those names, that English has the predicate's name for."""
    for row in vocabulary.VOCABULARY:
        for phrase in row.english if f"{row.name}/2" in names else ():
            word = phrase.removeprefix("~").removeprefix("to ").replace(" ", "_")
            if predicate in (f"{word}/2", f"{word.removesuffix('_than')}/2"):
                return f"{row.name}({'Y, X' if phrase.startswith('~') else 'X, Y'})"
    return None


def _could_be_learned(error: errors.UnknownPredicateError) -> bool:
    """Whether another model might say the predicate. The program is of an image, and has no name like it."""
    return (
        _LEARNED.fullmatch(error.predicate) is not None
        and "object/1" in error.known
        and not difflib.get_close_matches(error.predicate, error.known, cutoff=0.9)
    )
