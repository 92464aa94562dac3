"""The errors of `bridge`.

BridgeError
"""


class BridgeError(Exception):
    """Any failure that the user of `bridge` can do something about."""
