#!/usr/bin/env python3
"""Exits with 1 where a token has no value."""

import sys

from lib.tokens import tokens

sys.exit(any(value in ("", None) for value in tokens().values()))
