"""The question before an address in a skill's text is opened: all of it in view, what hides in it marked."""

from __future__ import annotations

from enum import Enum
from typing import Final
from urllib.parse import urlsplit

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Button, Static

from skillui.tui.dialogs.base import Buttons, Dialog, DialogButton
from skillui.tui.glyphs import glyphs
from skillui.tui.safe_text import hidden_count, safe

_OPENED: Final = frozenset({"http", "https"})


class LinkChoice(Enum):
    """What to do with an address."""

    OPEN = "open"
    COPY = "copy"


class LinkDialog(Dialog[LinkChoice]):
    """Shows an address and returns what to do with it; None to let it be."""

    TITLE_TEXT = "A link of this skill"
    DEFAULT_CSS = """
    LinkDialog {
        & #link-address { height: auto; max-height: 12; margin: 1 0; background: $panel; padding: 0 1; }
        & #link-address Static { width: 1fr; height: auto; }
        & #link-warning { color: $state-untrusted; height: auto; }
    }
    """

    def __init__(self, url: str) -> None:
        """Ask about `url`, any text at all."""
        super().__init__()
        self.url = url
        self.can_open = _scheme(url) in _OPENED and not hidden_count(url)

    def compose_body(self) -> ComposeResult:
        """The address, what is odd about it, and the choices; leaving it is in front."""
        yield Static(Content.assemble("It leads to ", safe(_host(self.url) or "no host", "bold"), "."))
        with VerticalScroll(id="link-address"):
            yield Static(safe(self.url))
        if words := _odd(self.url):
            yield Static(safe(f"{glyphs().warning} {words}"), id="link-warning")
        with Buttons():
            yield DialogButton("", "Leave it", "leave")
            yield DialogButton("", "Copy", "copy")
            yield DialogButton("", "Open in the browser", "open", disabled=not self.can_open)

    def on_mount(self) -> None:
        """Leaving it is what Enter does."""
        self.query_one("#leave", DialogButton).focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Answer by the button."""
        event.stop()
        self.dismiss({"open": LinkChoice.OPEN, "copy": LinkChoice.COPY}.get(event.button.id or ""))


def _scheme(url: str) -> str:
    try:
        return urlsplit(url).scheme.lower()
    except ValueError:
        return ""


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _odd(url: str) -> str:
    if hidden_count(url):
        return "Invisible characters stand in it; it can be copied, not opened from here."
    if _scheme(url) not in _OPENED:
        return "Only http and https addresses are opened from here."
    host = _host(url)
    if not host.isascii() or "xn--" in host:
        return "The name of the host has letters beyond ASCII, which may look like others."
    try:
        if urlsplit(url).username is not None:
            return "What stands before the @ is not the host."
    except ValueError:
        return "It is not a well-formed address."
    return "" if _scheme(url) == "https" else "It is not encrypted (http)."
