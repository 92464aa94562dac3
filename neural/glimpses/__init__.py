"""Networks for pictures of any size: a finder, and a comparator of glimpses."""
