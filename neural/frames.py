"""Where an aligned encoder looks for objects: the figures that training (`alignment`) and `inference` share."""

from domains.relations_game.objects import MARGIN, SQUARE

SQUARES = 3
"""Squares along a side of the frame that a shape is drawn in."""
LINES = tuple(MARGIN + SQUARE * line for line in range(SQUARES + 1))
"""Where the edges of squares lie in the window of an object in its place."""
REACH = 3
"""Most pixels that a window slides, each way: one square, beyond which the lines of other squares fit as well."""
FAINT = 0.08
"""Neighbouring pixels that differ by less than this, of 1, are no edge: noise and JPEG leave such differences."""
HOME = 0.02
"""What each pixel of the way costs, as a share of all edges: of steps that fit alike the shortest is taken."""
TIE = 1e-5
"""What each pixel to the right or down costs: of slides that fit alike one is taken whatever the last digits are."""
