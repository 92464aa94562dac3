"""Who sees: pictures go in, scenes come out, whatever is inside."""
