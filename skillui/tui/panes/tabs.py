"""The tabs of a skill, in order, and what builds each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillui.tui.panes.skill_area import PaneFactory

if TYPE_CHECKING:
    from skillui.tui.panes.preview import Compute
    from skillui.workspace.settings import Settings


def pane_factories(preview_of: Compute, settings: Settings) -> dict[str, tuple[str, PaneFactory]]:
    """Return title and builder of each tab; a pane's module is read when it is first opened."""

    def overview() -> PaneFactory:
        from skillui.tui.panes.overview import OverviewPane

        return OverviewPane

    def frontmatter() -> PaneFactory:
        from skillui.tui.panes.frontmatter import FrontmatterPane

        return FrontmatterPane

    def body() -> PaneFactory:
        from skillui.tui.panes.body import BodyPane

        return lambda: BodyPane(settings.markdown_limit_kb)

    def resources() -> PaneFactory:
        from skillui.tui.panes.resources import ResourcesPane

        return ResourcesPane

    def problems() -> PaneFactory:
        from skillui.tui.panes.problems import ProblemsPane

        return ProblemsPane

    def preview() -> PaneFactory:
        from skillui.tui.panes.preview import PreviewPane

        return lambda: PreviewPane(preview_of)

    return {
        "overview": ("Overview", lambda: overview()()),
        "frontmatter": ("Frontmatter", lambda: frontmatter()()),
        "body": ("Body", lambda: body()()),
        "resources": ("Resources", lambda: resources()()),
        "problems": ("Problems", lambda: problems()()),
        "preview": ("Preview", lambda: preview()()),
    }
