"""Names in other languages: a module for each says what an atom needs there, and reads it back.

Labels, file names and categories are anybody's text. `atom(text)` is that text as one name, `constant(text)` the same,
but that a whole number is a number, and `unquoted` gives back the text of either. No room is imported: all may use it.
"""


class QuotingError(ValueError):
    """A text that a language cannot write. One line, with the remedy."""


def writable(text: str) -> str:
    """The text itself. QuotingError if it is no Unicode text: neither files nor readers take a lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise QuotingError(f"{text!r} cannot be written: surrogates not allowed in a name: rename it") from None
    return text
