"""Functions that ndimage imports for rotations; nothing is rotated here."""
