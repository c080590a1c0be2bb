#!/usr/bin/env python3
"""Prints the tokens with one name changed."""

import json
import sys

from lib.tokens import tokens

old, new = sys.argv[2:4]
print(json.dumps({new if name == old else name: value for name, value in tokens().items()}, indent=2))
