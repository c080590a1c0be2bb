#!/usr/bin/env python3
"""Prints the tokens that a style sheet on standard input never names."""

import sys

from lib.tokens import tokens

sheet = sys.stdin.read()
for name in tokens():
    if "--" + name.replace(".", "-") not in sheet:
        print(name)
