"""CLEVR: shaded things on a grey ground, half hidden behind each other, and places on that ground."""

PREFIX = "CLEVR_"  # all of CLEVR's pictures are called so, CLEVR_val_000007.png
