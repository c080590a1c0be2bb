"""The documented configuration file."""

from __future__ import annotations

_EXAMPLE = """\
# The configuration of skillui. Every key may be left out; the values here are the defaults.
# A mistake never stops the app: it is named at the start, with its line, and the rest is used.

# The theme to start with; null is the app's own. Themes of your own lie in `themes/` beside this file.
# A theme chosen in the app is remembered until this line is changed: the last choice wins.
theme: null

# Other keys for actions: the id of an action (the app's key help shows it), then one key or a list.
#   keys:
#     catalog.search: ctrl+f
#     app.quit: [ctrl+q, f10]
keys: {}

# More folders of skills, after those of the project and of your home folder.
# Each is an absolute path or begins with ~/
#   roots:
#     - ~/work/shared-skills
roots: []

# Folders whose skills are trusted, beside the skill folders in your home folder. Trusted skills are
# not held back for review, so name only what nobody else can write to. If one entry is wrong, none counts.
# This is the only file that can grant trust to a folder: no file of a project is ever asked.
#   trusted_roots:
#     - ~/work/shared-skills
trusted_roots: []

# The command that opens a file, where neither $VISUAL nor $EDITOR is of use.
# It is split into words like a shell does, but no shell runs it.
#   editor: code --wait
editor: null

# true draws with ASCII characters alone, false never does, null asks the terminal.
ascii: null

# Bodies larger than this many KiB are shown as source only: rendering them takes seconds.
markdown_limit_kb: 64

# Whether a change on disk shows by itself.
watch: true
"""


def write_example() -> str:
    """Return the text of a configuration file that names every key with its default."""
    return _EXAMPLE
