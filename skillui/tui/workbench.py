"""`Workbench`: the state of one run and its commands, without a widget. Panes show it, the app drives it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from skillui.checks.sources import source_of
from skillui.core import (
    AnyEntry,
    BrokenSkill,
    CallRecord,
    Catalog,
    ContentDigest,
    FilesystemSkillRegistry,
    Gate,
    LoadedSkill,
    PermissionHook,
    SessionState,
    SkillEntry,
    SkillResult,
    SkillSession,
    content_digest,
)
from skillui.core.catalog import Observer
from skillui.core.events import Listener
from skillui.core.files import is_below
from skillui.core.resources import RESOURCE_FOLDERS, Resources
from skillui.core.state import Activation
from skillui.review.decisions import store_hook
from skillui.review.store import DecisionStore
from skillui.tui import clock
from skillui.tui.findings_desk import FindingsDesk
from skillui.tui.model.file_content import FileContent, gone, read_file_content, read_source_content
from skillui.tui.model.findings import Summary
from skillui.tui.model.folders import on_disk
from skillui.tui.model.prompt_facts import found_in
from skillui.tui.model.session_log import SessionLog
from skillui.tui.model.skill_view import SkillView, files_of_source, read_files
from skillui.workspace.launch import Launch
from skillui.workspace.project import Root
from skillui.workspace.skill_source import SkillSource


class Workbench:
    """One run over one project: registry, sessions, decisions.

    `ask` puts a question to the person; `on_call` hears of every call. Methods marked blocking
    belong in a worker thread.
    """

    def __init__(self, launch: Launch, ask: PermissionHook, on_call: Listener, store: DecisionStore) -> None:
        self.launch = launch
        self.registry = launch.new_registry()
        self.store = store
        self.stale: frozenset[str] = frozenset()
        """Names of activated skills whose content changed since."""
        self.findings = FindingsDesk(self)
        """What the gate finds in the skills."""
        self.summaries: Mapping[str, Summary] = {}
        """How much it found in each so far, by the keys of the catalog's rows."""
        self.log = SessionLog()
        """Every session of this run with its calls."""
        self._tops: list[str] = []
        """The tops of a source in all its scans, the newest last: that of a revision holds the commit."""
        self._session: SkillSession | None = None
        self._ask = ask
        self._on_call = on_call
        self.new_session()

    @property
    def catalog(self) -> Catalog:
        """The catalog as it was last read."""
        return self.registry.catalog or Catalog()

    @property
    def session(self) -> SkillSession:
        """The current session."""
        assert self._session is not None
        return self._session

    @property
    def session_number(self) -> int:
        """The number of the current session, from 1."""
        return len(self.log.sessions)

    @property
    def activated(self) -> dict[str, Activation]:
        """What the current session holds, by name."""
        held = dict(self.session.state.activated)  # a worker may ask while a call ends
        return {name: replace(active, dir=self._now_at(active.dir)) for name, active in held.items()}

    @property
    def roots(self) -> tuple[Root, ...]:
        """The skill roots, in order of precedence."""
        return self.launch.project.roots

    def root_of(self, entry: AnyEntry) -> Root:
        """Return the root that an entry lies in, also where it was read before roots came or went."""
        if self.launch.source is not None and entry.root_index < len(self.roots):
            return self.roots[entry.root_index]
        above = os.path.dirname(entry.location)
        found = next((root for root in self.roots if os.path.normpath(root.path) == above), None)
        return found or Root(above, "path", False, False, above)

    def new_session(self) -> SkillSession:
        """Begin a session: nothing is activated; calls of the last one that still wait are denied."""
        if self._session is not None:
            self._session.close()
        state = SessionState(str(len(self.log.sessions) + 1))
        state.listeners.append(self._on_call)
        self._session = self._session_over(state)
        self.log.begin(state, self.launch.config, clock.utc_now())
        self.stale = frozenset()
        return self._session

    def _session_over(self, state: SessionState) -> SkillSession:
        sources = tuple(root.source for root in self.roots)
        hook = store_hook(self.store, self._ask, "app", sources, found_in)
        return SkillSession(self.launch.config, registry=self.registry, hook=hook, state=state, clock=clock.utc_now)

    def close(self) -> None:
        """End the run: whoever still waits for an answer is denied."""
        self.session.close()
        self.registry.close()

    def judge(self, entry: AnyEntry) -> Gate:
        """Tell what stands between a call and this entry."""
        return self.session.judge(entry)

    def preview(self, skill: LoadedSkill | BrokenSkill, arguments: object, as_user: bool) -> SkillResult:
        """Return the output a call would get; nothing is activated and nobody asked. Blocking."""
        return self.session.preview(skill, arguments, user_initiated=as_user)

    def scan(self, observer: Observer | None = None) -> Catalog:
        """Look for the roots and read them all; what did not change is not read again. Blocking.

        Where roots came or went, the session goes on over those there are, with all that it holds.
        """
        if self.launch.source is not None:
            return self._scan_source(self.launch.source, observer)
        launch = self.launch.renewed()
        if launch is self.launch:
            return self.registry.scan(observer)
        registry = launch.new_registry()
        catalog = registry.scan()  # no part of it is shown before the roots it counts are
        self.launch, self.registry = launch, registry
        self._session = self._session_over(self.session.state)
        return catalog

    def _scan_source(self, source: SkillSource, observer: Observer | None) -> Catalog:
        catalog = self.registry.scan(observer)
        if (top := source.top_of(self.registry)) not in self._tops[-1:]:
            self._tops.append(top)
        roots = source.roots_of(self.registry)
        if roots != self.roots:
            self.launch = replace(self.launch, project=replace(self.launch.project, roots=roots))
            self._session = self._session_over(self.session.state)
        return catalog

    def refresh(self, paths: Iterable[str]) -> Catalog:
        """Read again the skills these paths lie in, and see which activated ones went stale. Blocking."""
        if isinstance(self.registry, FilesystemSkillRegistry):
            catalog = self.registry.refresh(paths)
            self.find_stale()
            return catalog
        return self.catalog  # what lies in no folder is read again when a person asks for it

    def find_stale(self) -> None:
        """Compare what the session holds with what lies on disk now. Blocking."""
        held = self.activated
        self.stale = frozenset(name for name, active in held.items() if self._changed(active))

    def _changed(self, active: Activation) -> bool:
        if active.digest is None:
            return False
        now = self._digest_of(active.dir)
        return now is None or now.value != active.digest

    def _digest_of(self, directory: str) -> ContentDigest | None:
        """Digest a skill's folder as it is now, None where it is gone."""
        if self.launch.source is None:
            return content_digest(directory) if os.path.isdir(directory) else None
        skill = self._loaded_from(directory)
        return skill.files.digest() if isinstance(skill, LoadedSkill) else None

    def _loaded_from(self, directory: str) -> LoadedSkill | BrokenSkill | None:
        """Read the skill whose resolved folder this is."""
        catalog = self.catalog
        entries: tuple[AnyEntry, ...] = (*catalog.skills, *catalog.shadowed, *catalog.broken)
        entry = next((entry for entry in entries if entry.dir == directory), None)
        return self.registry.load_entry(entry) if entry is not None else None

    def _now_at(self, directory: str) -> str:
        """Return the name that a folder has since the last scan: a revision's moves on with its commit."""
        top = next((top for top in self._tops if top and is_below(directory, top)), None)
        return directory if top is None else self._tops[-1] + directory[len(top) :]

    def resource_folders(self, entry: AnyEntry) -> frozenset[str]:
        """Return which resource folders a skill has. Blocking."""
        if self.launch.source is None:
            return on_disk(entry)
        skill = self.registry.load_entry(entry)
        source = source_of(skill.files) if skill is not None else None
        names = {item.path for item in source.tree().entries if item.is_folder} if source is not None else set()
        return frozenset(RESOURCE_FOLDERS) & names

    def read_file(self, directory: str, path: str) -> FileContent:
        """Read one file of a skill. Blocking; never raises."""
        if self.launch.source is None:
            return read_file_content(directory, path)
        skill = self._loaded_from(directory)
        source = source_of(skill.files) if skill is not None else None
        return gone(path) if source is None else read_source_content(source, path)

    def digest_now(self, record: CallRecord) -> ContentDigest | None:
        """Digest the folder a call loaded from, None where it loaded nothing. Blocking."""
        return self._digest_of(self._now_at(record.dir)) if record.dir else None

    def read_view(self, entry: AnyEntry) -> SkillView:
        """Read everything panes show of one skill. Blocking."""
        loaded = self.registry.load_entry(entry)
        now: AnyEntry = loaded.entry if isinstance(loaded, LoadedSkill) else loaded or entry
        parsed = loaded.parsed if loaded is not None else None
        resources, digest = _brought(loaded)
        body = parsed.body if parsed is not None else ""
        source = source_of(loaded.files) if loaded is not None else None
        listed = frozenset(resources.names)
        files, omitted = read_files(now.dir, body, listed) if source is None else files_of_source(source, body, listed)
        chain = self.chain(now.name)
        holder = self.catalog.by_name.get(now.name)
        active = self.activated.get(now.name)
        holds = active is not None and active.dir == now.dir
        return SkillView(
            entry=now, root=self.root_of(now), gate=self.judge(now), loaded=loaded, parsed=parsed,
            problems=parsed.problems if parsed is not None else now.problems, files=files, files_omitted=omitted,
            resources=resources, digest=digest, chain=chain,
            winner=holder is not None and holder.location == now.location,
            loaded_at=active.turn if holds and active is not None else None,
            stale=holds and now.name in self.stale,
            project=self.launch.project.path, roots=self.roots,
            decision=self.store.decision(digest.value) if digest is not None and digest.value is not None else None,
        )  # fmt: skip

    def with_findings(self, view: SkillView, wanted: Callable[[], bool]) -> SkillView:
        """Return a view with what the gate finds in the skill. Blocking; raises `Stopped` once it is not `wanted`."""
        if view.loaded is None:
            return replace(view, checked=True)
        digest = view.digest.value if view.digest is not None else None
        found = self.findings.findings_of(view.loaded, digest, wanted)
        return replace(
            view, problems=found.problems, excerpts=found.excerpts, of_catalog=found.of_catalog, checked=True
        )

    def chain(self, name: str) -> tuple[AnyEntry, ...]:
        """Return all copies of a name: the winner first, then the others in order of precedence."""
        catalog = self.catalog
        copies: list[AnyEntry] = [entry for entry in catalog.shadowed if entry.name == name]
        copies += [entry for entry in catalog.broken if entry.name == name]
        copies.sort(key=lambda entry: entry.root_index)
        winner: SkillEntry | None = catalog.by_name.get(name)
        return tuple(copies) if winner is None else (winner, *copies)


def _brought(loaded: LoadedSkill | BrokenSkill | None) -> tuple[Resources, ContentDigest | None]:
    if not isinstance(loaded, LoadedSkill):
        return Resources(), None
    try:
        return loaded.files.resources(), loaded.files.digest()
    except OSError:
        return Resources(), loaded.files.digest()
