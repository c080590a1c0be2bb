"""skillui: browse, check, review, activate and debug Agent Skills in the terminal."""

__version__ = "0.1.0"
