#!/usr/bin/env python3
"""Prints two token files as one; the second wins."""

import json

from lib.tokens import tokens

print(json.dumps({**tokens(1), **tokens(2)}, indent=2))
