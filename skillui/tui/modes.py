"""The modes of one app: which screens there are, and what all of them are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from textual.content import Content
from textual.worker import get_current_worker

from skillui.tui.glyphs import glyphs
from skillui.tui.messages import ReviewCounted
from skillui.tui.model.top_line import TopLine
from skillui.tui.widgets.top_bar import TopBar

if TYPE_CHECKING:
    from skillui.tui.app import SkilluiApp
    from skillui.tui.review_desk import ReviewDesk
    from skillui.tui.screens.review import ReviewScreen
    from skillui.tui.screens.session import SessionScreen


class Modes:
    """Makes the screens when they are first wanted."""

    def __init__(self, app: SkilluiApp) -> None:
        self._app = app
        self._session: SessionScreen | None = None
        self._review: ReviewScreen | None = None
        self._watching: bool | None = None
        self._waiting = 0

    @cached_property
    def desk(self) -> ReviewDesk:
        """The review over this run."""
        from skillui.tui.review_desk import ReviewDesk

        return ReviewDesk(self._app.workbench)

    def show_mode(self, mode: str, event: int | None = None) -> None:
        """Bring a mode to the front, the Session mode at a call where one is named."""
        if mode == "browse":
            self._app.switch_mode("browse")
            self._app.read_view()  # what was decided meanwhile
        elif mode == "review":
            screen = self._review_screen()
            self._app.switch_mode("review")
            screen.read_queue()
        elif mode == "session":
            session = self._session_screen()
            self._app.switch_mode("session")
            self.disk_changed()
            if event is not None:
                session.go_to_event(event)

    def show_watching(self, watching: bool) -> None:
        """Say in every mode's top line whether changes are noticed."""
        self._watching = watching
        for bar in self._top_bars():
            bar.set_watching(watching)

    def show_waiting(self, waiting: int) -> None:
        """Say in every mode's top line how many skills wait for a decision."""
        self._waiting = waiting
        for bar in self._top_bars():
            bar.set_badge("review", self._badge())

    def show_calls(self) -> None:
        """Show what the session log holds now, and what an answer to a prompt decided."""
        if self._session is not None:
            self._session.update_log()
        self._review_changed()

    def disk_changed(self) -> None:
        """Compare the shown call with the disk once more, and look at what there is to review."""
        if self._session is not None and self._session.is_current:
            self._session.read_disk()
        self._review_changed()

    def files_touched(self, paths: Sequence[str] | None) -> None:
        """Note which files changed, None for any."""
        self.desk.touch(paths)

    def _review_changed(self) -> None:
        if self._review is not None:
            self._review.read_queue()
        else:
            self._app.run_worker(
                self._count, thread=True, exclusive=True, group="review-count", exit_on_error=False,
                description="counting what there is to review",
            )  # fmt: skip

    def _count(self) -> None:
        worker = get_current_worker()
        waiting = self.desk.count_open(lambda: worker.is_cancelled)
        if not worker.is_cancelled:
            self._app.post_message(ReviewCounted(waiting))

    def _top_bars(self) -> list[TopBar]:
        screens = (self._app.browse, self._review, self._session)
        return [screen.top_bar for screen in screens if screen is not None and screen.is_mounted]

    def _badge(self) -> Content:
        if not self._waiting:
            return Content("")
        return Content.styled(f"{glyphs().flag}{self._waiting:,}", "bold $state-untrusted")

    def _review_screen(self) -> ReviewScreen:
        if self._review is None:
            from skillui.tui.screens.review import ReviewScreen

            self._review = ReviewScreen(self.desk, self._line)
            self._app.add_mode("review", self._review_screen)
        return self._review

    def _session_screen(self) -> SessionScreen:
        if self._session is None:
            from skillui.tui.screens.session import SessionScreen

            workbench = self._app.workbench
            self._session = SessionScreen(workbench.log, workbench.digest_now, self._line)
            self._app.add_mode("session", self._session_screen)
        return self._session

    @property
    def _line(self) -> TopLine:
        line = self._app.top_line
        modes = tuple(replace(one, badge=self._badge()) if one.name == "review" else one for one in line.modes)
        return replace(line, modes=modes, watching=self._watching)
