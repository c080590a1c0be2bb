"""The place of the static gate: rules over a parsed skill, each yielding `Problem`s."""
