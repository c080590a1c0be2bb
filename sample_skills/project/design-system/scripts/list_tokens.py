#!/usr/bin/env python3
"""Prints every token with its value."""

from lib.tokens import tokens

for name, value in sorted(tokens().items()):
    print(f"{name:30} {value}")
