"""The errors of `bridge`.

BridgeError
    BoxesError
"""


class BridgeError(Exception):
    """Any failure that the user of `bridge` can do something about."""


class BoxesError(BridgeError):
    """The boxes given with a picture cannot be used."""
