"""Approval of content: what a person decided about exactly which bytes."""
