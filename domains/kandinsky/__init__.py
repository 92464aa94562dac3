"""Kandinsky patterns: figures of circles, squares and triangles, and what is true of them."""
