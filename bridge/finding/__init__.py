"""Finding things in pictures of any size: by a network, and by what is joined."""
