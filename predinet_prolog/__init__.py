"""Ask an image questions in logic: a PrediNet sees, Prolog answers.

The rooms lie at the top of the repository; links in this folder give them their import names, such as
`predinet_prolog.neural`, so that a package of the user's called `service` is not in the way.
"""

__version__ = "0.3.0"
