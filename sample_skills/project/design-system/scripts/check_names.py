#!/usr/bin/env python3
"""Prints every token whose name is not lower case with dots."""

import re

from lib.tokens import tokens

for name in tokens():
    if not re.fullmatch(r"[a-z]+([.-][a-z0-9]+)*", name):
        print(name)
