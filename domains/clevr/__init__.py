"""CLEVR: shaded things on a grey ground, half hidden behind each other, and places on that ground."""
