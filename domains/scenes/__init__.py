"""Pictures of a few separate things on a fairly plain ground."""
