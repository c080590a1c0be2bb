#!/usr/bin/env python3
"""Prints how many tokens each group has."""

import collections

from lib.tokens import tokens

print(collections.Counter(name.split(".")[0] for name in tokens()))
