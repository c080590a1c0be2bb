#!/usr/bin/env python3
"""Prints what two token files disagree about."""

from lib.tokens import tokens

old, new = tokens(1), tokens(2)
for name in sorted(old.keys() | new.keys()):
    if old.get(name) != new.get(name):
        print(name, old.get(name), "->", new.get(name))
