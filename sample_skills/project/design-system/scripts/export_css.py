#!/usr/bin/env python3
"""Prints the tokens as CSS custom properties."""

from lib.tokens import tokens

print(":root {")
for name, value in tokens().items():
    print(f"  --{name.replace('.', '-')}: {value};")
print("}")
