"""Every sample shows exactly the state it claims to show, when the engine itself is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from skillui.core import (
    Catalog,
    Error,
    ErrorCode,
    FilesystemSkillRegistry,
    NotFound,
    Ok,
    SessionConfig,
    SkillResult,
    SkillSession,
    fixed_hook,
)
from skillui.workspace.samples import DemoProject, copy_samples, remove_samples
from skillui.workspace.scaffold import new_skill


@dataclass(frozen=True, slots=True)
class Call:
    """One activation in a session of its own; `outcome` is "ok", "not_found" or an error code."""

    name: str
    outcome: str
    hook: str | None = "allow"
    arguments: str | Mapping[str, str] | None = None
    by_user: bool = False
    says: str = ""
    """A part of the output."""
    meta: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.name}-{self.outcome}-{self.hook}-{'user' if self.by_user else 'model'}"


CALLS = (
    # Valid: untrusted without anybody to ask, and allowed by the hook.
    Call("api-conventions", "NOT_TRUSTED", hook=None),
    Call("api-conventions", "NOT_TRUSTED", hook="deny"),
    Call("api-conventions", "ok", says="references/errors.md"),
    Call("release-notes", "NOT_TRUSTED", hook="ask"),
    Call("release-notes", "ok", arguments="v1.4 v1.5", says="what changed from v1.4 to v1.5"),
    Call("release-notes", "ok", says="what changed from $1 to $2"),
    Call("rename-symbol", "ok", arguments="basket cart", says="# Rename `basket` to `cart`"),
    Call("rename-symbol", "ok", arguments="basket cart", says="The whole request was: basket cart"),
    Call("rename-symbol", "ok", arguments="basket cart", says="`$3` has no value"),
    Call("design-system", "ok", says="scripts/(... 4 more)"),
    Call("text-tricks", "NOT_TRUSTED", hook=None),
    Call("text-tricks", "ok", says=r"scripts/one\ntwo.sh"),
    Call("quick-setup", "NOT_TRUSTED", hook=None),
    Call("quick-setup", "ok"),
    Call("brand-voice", "NOT_TRUSTED", hook=None),
    Call("brand-voice", "ok", says="docs/skills/brand-voice"),
    # Valid and trusted: still asked.
    Call("commit-message", "PERMISSION_DENIED", hook=None),
    Call("commit-message", "PERMISSION_DENIED", hook="deny"),
    Call("commit-message", "ok", says="Never list files"),
    Call("meeting-notes", "ok", says="Quote a sentence where the wording matters"),
    Call("explain-error", "ok", arguments="bad $1  here", says="The message: bad $1  here"),
    Call("house-style", "ok"),
    Call("weekly-report", "ok"),
    Call("line-endings", "ok", says="carriage returns included.\r\n"),
    Call("publish-release", "DISABLED"),
    Call("publish-release", "ok", by_user=True, arguments="2.1.0", says="# Publish release 2.1.0"),
    Call("publish-release", "PERMISSION_DENIED", hook=None, by_user=True),
    # Named arguments.
    Call("write-tests", "INVALID_PARAM", says="path"),
    Call("write-tests", "INVALID_PARAM", arguments="src/cart.py", says="expects named arguments"),
    Call("write-tests", "INVALID_PARAM", arguments={"path": "a.py", "speed": "fast"}, says="speed"),
    Call("write-tests", "ok", arguments={"path": "src/cart.py"}, says="Framework: ${framework}."),
    Call("compare-branches", "ok", arguments={"base": "main", "head": "cart"}, says="# Compare main with cart"),
    Call("compare-branches", "ok", says="# Compare ${base} with ${head}"),
    Call("commit-message", "INVALID_PARAM", arguments={"a": "b"}, says="does not accept named arguments"),
    # Broken frontmatter, each with its line.
    Call("changelog-entry", "INVALID_FRONTMATTER", meta={"line": 3}),
    Call("triage-bug", "INVALID_FRONTMATTER", says="'description' is missing"),
    Call("reset-database", "INVALID_FRONTMATTER", says="disable-model-invocation", meta={"line": 6}),
    Call("code-owners", "INVALID_FRONTMATTER", says="description", meta={"line": 6}),
    Call("menu-copy", "INVALID_FRONTMATTER", says="UTF-8", meta={"line": 3}),
    Call("onboarding-notes", "INVALID_FRONTMATTER", says="no frontmatter"),
    Call("incident-report", "INVALID_FRONTMATTER", says="not closed"),
    Call("deploy-preview", "NAME_MISMATCH", meta={"declared_name": "preview-deploy"}),
    # Places.
    Call("secrets", "SENSITIVE", hook=None),
    Call("secrets", "SENSITIVE", hook="deny"),
    Call("secrets", "ok"),
    Call("payment-provider", "OUTSIDE_WORKSPACE", hook=None),
    Call("payment-provider", "OUTSIDE_WORKSPACE", hook="deny"),
    Call("payment-provider", "ok", says="elsewhere/payment-provider"),
    Call("api-rules", "NAME_MISMATCH", meta={"declared_name": "api-conventions"}),
    # Files that are none.
    Call("price-list", "IO_ERROR", says="is a directory"),
    Call("order-queue", "IO_ERROR", says="is a named pipe"),
    Call("gift-cards", "IO_ERROR", says="gift-cards/SKILL.md"),
    # Names nobody has.
    Call("Commit_Message", "INVALID_PARAM", says="lowercase-kebab-case"),
    Call("preview-deploy", "not_found"),
    Call("templates", "not_found"),
    Call("old-skills", "not_found"),
    Call("commit-mesage", "not_found", says="Did you mean: commit-message"),
    Call("publish-releases", "not_found", by_user=True, says="Did you mean: publish-release"),
)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoProject]:
    made = copy_samples(tmp_path_factory.mktemp("samples") / "demo")
    yield made
    remove_samples(made)


@pytest.fixture(scope="module")
def catalog(demo: DemoProject) -> Catalog:
    return FilesystemSkillRegistry(demo.skill_roots).scan()


def session_of(demo: DemoProject, hook: str | None, roots: tuple[Path, ...] | None = None) -> SkillSession:
    config = SessionConfig(
        cwd=str(demo.path),
        skill_roots=tuple(map(str, roots or demo.skill_roots)),
        workspace_roots=tuple(map(str, demo.workspace_roots)),
        trusted_roots=tuple(map(str, demo.trusted_roots)),
    )
    return SkillSession(config, hook=fixed_hook(hook) if hook else None)


def outcome(result: SkillResult) -> str:
    return str(result.code) if isinstance(result, Error) else result.kind


@pytest.mark.parametrize("call", CALLS, ids=str)
async def test_sample_shows_its_state(demo: DemoProject, call: Call) -> None:
    params: dict[str, Any] = {"name": call.name}
    if call.arguments is not None:
        params["arguments"] = call.arguments
    result = await session_of(demo, call.hook).skill(params, user_initiated=call.by_user)
    assert outcome(result) == call.outcome
    assert call.says in result.output
    if isinstance(result, Error):
        assert {key: result.meta.get(key) for key in call.meta} == call.meta


def test_every_error_code_has_a_sample_or_a_call() -> None:
    shown = {call.outcome for call in CALLS}
    # NOT_FOUND is what a result of its own kind says.
    assert {str(code) for code in ErrorCode} - {"NOT_FOUND"} <= shown
    assert "not_found" in shown


def test_every_sample_has_a_row_here(catalog: Catalog) -> None:
    called = {call.name for call in CALLS}
    listed = {entry.name for entry in catalog.skills} | {broken.name for broken in catalog.broken}
    hostile_folder = "two\nlines \x1b[7mand colour"
    made_for_ordinary_users = {"salary-bands", "private-notes"}
    assert listed - made_for_ordinary_users - called == {hostile_folder}


async def test_second_activation_is_already_loaded(demo: DemoProject) -> None:
    session = session_of(demo, "allow")
    assert outcome(await session.skill({"name": "commit-message"})) == "ok"
    assert outcome(await session.skill({"name": "commit-message"})) == "already_loaded"


def test_project_shadows_user_and_user_shadows_shared(demo: DemoProject, catalog: Catalog) -> None:
    project, user, shared = map(str, demo.skill_roots)
    by_name = {entry.name: entry for entry in catalog.skills}
    assert by_name["api-conventions"].dir == f"{project}/api-conventions"
    assert by_name["api-conventions"].shadowed == (f"{user}/api-conventions", f"{shared}/api-conventions")
    assert by_name["commit-message"].dir == f"{user}/commit-message"
    assert by_name["commit-message"].shadowed == (f"{shared}/commit-message",)


def test_broken_namesake_is_reported_and_shadows_nothing(demo: DemoProject, catalog: Catalog) -> None:
    winner = next(entry for entry in catalog.skills if entry.name == "meeting-notes")
    assert winner.root_index == 1
    assert winner.shadowed == ()
    broken = next(entry for entry in catalog.broken if entry.name == "meeting-notes")
    assert (broken.code, broken.root_index) == (ErrorCode.INVALID_FRONTMATTER, 0)


def test_model_and_user_are_offered_different_skills(catalog: Catalog) -> None:
    by_name = {entry.name: entry for entry in catalog.skills}
    manual, background = by_name["publish-release"], by_name["house-style"]
    assert (manual.offered_to("model"), manual.offered_to("user")) == (False, True)
    assert (background.offered_to("model"), background.offered_to("user")) == (True, False)


def test_warnings_are_on_the_one_sample_that_shows_them(catalog: Catalog) -> None:
    warned = {entry.name: len(entry.problems) for entry in catalog.skills if entry.problems}
    assert warned == {"weekly-report": 3}


def test_hostile_folder_is_listed_once_with_its_fault(catalog: Catalog) -> None:
    hostile = [broken for broken in catalog.broken if broken.code is ErrorCode.NAME_MISMATCH and "\n" in broken.name]
    assert len(hostile) == 1
    assert "\n" not in hostile[0].message
    assert "\x1b" not in hostile[0].message


async def test_resources_are_capped_and_stay_inside(demo: DemoProject) -> None:
    session = session_of(demo, "allow")
    many = await session.skill({"name": "design-system"})
    assert isinstance(many, Ok)
    assert many.resources_omitted == {"scripts": 4}
    assert sum(name.startswith("scripts/") for name in many.resources) == 10
    assert "assets/icons/basket.svg" in many.resources
    leaking = await session.skill({"name": "quick-setup"})
    assert isinstance(leaking, Ok)
    assert leaking.resources == ("scripts/finish.sh",)


async def test_no_file_name_adds_a_line_to_the_output(demo: DemoProject) -> None:
    result = await session_of(demo, "allow").skill({"name": "text-tricks"})
    assert isinstance(result, Ok)
    listed = result.output.rsplit("<resources>\n", 1)[1].split("\n</resources>", 1)[0].split("\n")
    assert len(listed) == len(result.resources)
    assert all("\x1b" not in line for line in listed)


async def test_new_skill_activates_at_once(demo: DemoProject, tmp_path: Path) -> None:
    new_skill("fresh-start", tmp_path / "skills")
    config = SessionConfig(cwd=str(tmp_path), skill_roots=("skills",), trusted_roots=("skills",))
    session = SkillSession(config, hook=fixed_hook("allow"))
    result = await session.skill({"name": "fresh-start"})
    assert isinstance(result, Ok)
    assert result.warnings == ()
    assert "# Fresh start" in result.body
    assert isinstance(await session.skill({"name": "fresh-starts-here"}), NotFound)
