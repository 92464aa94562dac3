"""Agents that play games: the paper's, with a PrediNet or a fully connected layer in the middle."""
