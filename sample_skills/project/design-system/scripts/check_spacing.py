#!/usr/bin/env python3
"""Prints every space token that is not a multiple of four."""

from lib.tokens import tokens

for name, value in tokens().items():
    if name.startswith("space.") and int(value) % 4:
        print(name, value)
