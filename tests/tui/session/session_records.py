"""A session of the real engine over a few small skills, and apps that hold one widget."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.app import App, ComposeResult
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget

from skillui.core import (
    AlreadyLoaded,
    AskedElsewhere,
    CallRecord,
    Error,
    ErrorCode,
    FilesystemSkillRegistry,
    NotFound,
    Ok,
    PermissionRequest,
    SessionConfig,
    SessionState,
    SkillEvent,
    SkillResult,
    SkillSession,
)
from skillui.tui.messages import (
    CopyRequested,
    ExportRequested,
    ModeRequested,
    NewSessionRequested,
    ReplayRequested,
)
from skillui.tui.themes import SEMANTIC_DEFAULTS
from skillui.tui.widgets.tab_bar import TabSelected

ASKED_OF_THE_APP = (
    CopyRequested,
    ExportRequested,
    ModeRequested,
    NewSessionRequested,
    ReplayRequested,
    TabSelected,
)


class Skills:
    """Three skills in a project root; `deploy` is denied, the others allowed."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / ".skills"
        for name in ("deploy", "triage", "notes"):
            (self.root / name).mkdir(parents=True)
            text = f"---\nname: {name}\ndescription: Does {name}.\n---\nDo {name} with $ARGUMENTS.\n"
            (self.root / name / "SKILL.md").write_text(text, encoding="utf-8")
        self.config = SessionConfig(str(folder))
        self.registry = FilesystemSkillRegistry(self.config.roots)

    def session(self, state: SessionState) -> SkillSession:
        return SkillSession(self.config, registry=self.registry, hook=self.answer, state=state)

    async def answer(self, request: PermissionRequest) -> str:
        return "deny" if request.name == "deploy" else "allow_once"


async def three_calls(session: SkillSession) -> None:
    """Make a denied call, one that loads and one that was loaded before."""
    await session.skill({"name": "deploy", "arguments": "staging"})
    await session.skill({"name": "triage", "arguments": "bug 7"}, user_initiated=True)
    await session.skill({"name": "triage"})


def record(
    result: SkillResult | AskedElsewhere,
    *,
    seq: int = 1,
    name: str | None = "deploy",
    arguments: Any = None,
    decision: str | None = None,
    question: dict[str, Any] | None = None,
    fault: str | None = None,
    digest: str | None = None,
    directory: str | None = None,
) -> CallRecord:
    """Return a call that ended with `result`."""
    code = str(result.code) if isinstance(result, Error) else None
    size = result.bytes if isinstance(result, Ok) else None
    event = SkillEvent(
        seq, "2026-11-30T21:14:03Z", "1", seq, "model", name, arguments, result.kind, code, decision, None, (),
        digest, size, 12.0,
    )  # fmt: skip
    return CallRecord(event, {"name": name, "arguments": arguments}, result, question, fault, None, directory)


def ok(output: str = "<skill>", digest: str | None = "sha256:9f2c0000") -> Ok:
    return Ok("triage", "/shop/.skills/triage", output, {}, (), {}, 612, digest, output)


def denied(message: str = "not permitted", code: ErrorCode = ErrorCode.NOT_TRUSTED) -> Error:
    return Error(code, message, {"hint": message})


def hostile_records(text: str) -> list[CallRecord]:
    """Return calls that hold `text` wherever a caller or a skill can put it."""
    frontmatter = {"name": text, text: [text, {text: text}], "allowed_tools": [text, text]}
    metadata = {
        "name": text, "reason": text, "flags": [text], "initiator": text, "turn": text, "arguments": {text: text},
        "digest": text, "frontmatter": frontmatter,
    }  # fmt: skip
    question = {"path": text, "always_patterns": [text], "metadata": metadata}
    return [
        record(NotFound(text, (text, text)), seq=1, name=text, arguments={text: text}),
        record(AlreadyLoaded(text, 1), seq=2, name=text, arguments=[text]),
        record(
            denied(text), seq=3, name=text, arguments=text, decision=text or "deny", question=question, fault=text,
            digest=text, directory=text,
        ),
        record(
            ok(text), seq=4, name=text, arguments={"a": text}, decision="allow", question=question,
            digest=text or None, directory=text,
        ),
    ]  # fmt: skip


class WidgetApp(App[None]):
    """One widget, and what it asks for."""

    def __init__(self, widget: Widget) -> None:
        super().__init__()
        self.widget = widget
        self.asked: list[Message] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(SEMANTIC_DEFAULTS)

    def compose(self) -> ComposeResult:
        yield self.widget

    def text(self) -> str:
        """Return what is on the screen, a line of text for each of its lines."""
        return screen_text(self)


class ScreenApp(App[None]):
    """One screen, and what it asks for."""

    def __init__(self, screen: Screen[None]) -> None:
        super().__init__()
        self.first = screen
        self.asked: list[Message] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(SEMANTIC_DEFAULTS)

    def on_mount(self) -> None:
        # A screen that is pushed brings its styles along; the default one would not.
        self.push_screen(self.first)

    def text(self) -> str:
        """Return what is on the screen, a line of text for each of its lines."""
        return screen_text(self)


def screen_text(app: App[Any]) -> str:
    """Return the cells of the screen as text."""
    update = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in update)


def listen(app: WidgetApp | ScreenApp) -> Any:
    """Return a message hook that keeps what the app is asked for."""

    def hook(message: Message) -> None:
        if isinstance(message, ASKED_OF_THE_APP) and not any(message is known for known in app.asked):
            app.asked.append(message)

    return hook
