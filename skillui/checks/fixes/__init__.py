"""Fixes: pure functions from a skill to the edits that repair one problem, and what applies them.

`apply_fix` and `apply_fixes` change bytes, `diff_of` shows what they would do; the module `kinds` says which
problem has which fix.
"""

from skillui.checks.fixes.apply import FixRefused, apply_fix, apply_fixes, diff_of, fixes_by_path

__all__ = ["FixRefused", "apply_fix", "apply_fixes", "diff_of", "fixes_by_path"]
