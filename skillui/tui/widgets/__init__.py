"""Widgets that know nothing of skills: they are given rows and text, and post what the person did."""
