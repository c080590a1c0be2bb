"""Bridges to other processes: JSON lines on stdin and stdout."""
