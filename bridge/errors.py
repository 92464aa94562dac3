"""The errors of `bridge`.

BridgeError
    BoxesError
    PerceiverError
    UngroundedError
    TableError
"""


class BridgeError(Exception):
    """Any failure that the user of `bridge` can do something about."""


class BoxesError(BridgeError):
    """The boxes given with a picture cannot be used."""


class PerceiverError(BridgeError):
    """A model was asked to see in a way that it does not: with boxes, a bound on looks, or pictures of another size."""


class UngroundedError(BridgeError):
    """Nothing was learned for the model of what its relations tell, and without that it cannot be done."""


class TableError(BridgeError):
    """A file is no table of many images that can be read."""
