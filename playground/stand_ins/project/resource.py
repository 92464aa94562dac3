"""Processes that limit themselves import this; in a browser there are none."""
