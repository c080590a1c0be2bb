#!/usr/bin/env python3
"""Prints the tokens in the order of their names."""

import json

from lib.tokens import tokens

print(json.dumps(dict(sorted(tokens().items())), indent=2))
