"""Sort-of-CLEVR: six squares and discs, each of its own colour, and questions about them."""
