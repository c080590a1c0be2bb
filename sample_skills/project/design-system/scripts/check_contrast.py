#!/usr/bin/env python3
"""Prints the contrast ratio of two colours given as RRGGBB."""

import sys


def luminance(colour: str) -> float:
    """Relative luminance of a colour, from 0 to 1."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


light, dark = sorted((luminance(c) for c in sys.argv[1:3]), reverse=True)
print(f"{(light + 0.05) / (dark + 0.05):.2f}")
