"""A detector: it finds things behind each other, tells each in words, and where it stands on the ground."""
