"""The tool definition a harness offers to its model (specification §2 and §2.2)."""

from __future__ import annotations

from typing import Any

TOOL_NAME = "skill"

DESCRIPTION = """\
Activate an installed skill by name. A skill is a reusable package of instructions, optional scripts, and reference \
docs, authored as a folder at `skill-name/SKILL.md`. Activating loads the skill's body into the conversation for the \
rest of the session.

**When to use.** Activate a skill when the user's request matches its description. The catalog of installed skills, \
each with name and short description, is always visible in your tool-call context. If two skills plausibly apply, \
pick the one whose description most precisely matches.

**Idempotence.** Activating the same skill twice in one session is a no-op — the body is already loaded. The tool \
returns a `already_loaded` marker so you know the content is still in context.

**Arguments.** Pass `arguments` as a string for positional skills (those declaring `$ARGUMENTS` or `$1` / `$2`) or as \
a JSON object for skills that declare named arguments in frontmatter. Run without arguments if the skill doesn't need \
them.

**Permission.** Activation runs through the session's permission hook. A skill's `allowed-tools` frontmatter is an \
advisory declaration of what tools it expects to need — it does not pre-approve anything; downstream tool calls still \
pass the session's permission hook."""


def tool_definition() -> dict[str, Any]:
    """Return name, description and JSON schema of the tool."""
    return {
        "name": TOOL_NAME,
        "description": DESCRIPTION,
        "input_schema": {
            "type": "object",
            "properties": {
                "name": {
                    "type": "string",
                    "description": "The name of an installed skill, as the catalog lists it.",
                    "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$",
                    "minLength": 1,
                    "maxLength": 64,
                },
                "arguments": {
                    "description": "A string for positional skills, an object of strings for named arguments.",
                    "anyOf": [
                        {"type": "string"},
                        {"type": "object", "additionalProperties": {"type": "string"}},
                    ],
                },
            },
            "required": ["name"],
            "additionalProperties": False,
        },
    }
