#!/usr/bin/env python3
"""Prints the tokens as JSON, sorted by name."""

import json

from lib.tokens import tokens

print(json.dumps(tokens(), indent=2, sort_keys=True))
