"""Finding things in pictures of any size: by a network, by connected components, or by boxes that are given."""
