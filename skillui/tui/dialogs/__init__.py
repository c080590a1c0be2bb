"""Modal screens: each asks one thing, returns one value, and can always be left with Escape."""
