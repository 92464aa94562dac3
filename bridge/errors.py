"""The errors of `bridge`.

BridgeError
    BoxesError
    UngroundedError
    TableError
"""


class BridgeError(Exception):
    """Any failure that the user of `bridge` can do something about."""


class BoxesError(BridgeError):
    """The boxes given with a picture cannot be used."""


class UngroundedError(BridgeError):
    """Nothing was learned for the model of what its relations tell, and without that it cannot be done."""


class TableError(BridgeError):
    """A file is no table of many images that can be read."""
