"""Bridges to other processes: JSON lines, the Model Context Protocol, a coding agent's hook, and the broker."""
