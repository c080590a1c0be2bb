from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from skillui.workspace.locate import PROJECT_SOURCES, holds_skills
from skillui.workspace.project import USER_SOURCES, Project, find_project, session_config, shortened
from skillui.workspace.settings import Settings, load_settings


class World:
    """A home and a work folder, with the shortest words to fill and look at them."""

    def __init__(self, top: Path) -> None:
        self.top = top
        self.home = top / "home"
        self.shop = top / "work" / "shop"
        self.home.mkdir()
        self.shop.mkdir(parents=True)

    def repository(self, folder: Path | None = None) -> None:
        ((folder or self.shop) / ".git").mkdir()

    def skills(self, folder: Path, *names: str) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            (folder / name).mkdir()
            (folder / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: A.\n---\n")
        return folder

    def find(
        self,
        path: Path | str | None = None,
        settings: Settings | None = None,
        roots: Sequence[str] = (),
        trusted: Sequence[str] = (),
    ) -> Project:
        return find_project(
            str(path or self.shop), home=str(self.home), settings=settings, roots=roots, trusted_roots=trusted
        )


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path.resolve())


def seen(project: Project) -> list[tuple[str, str, bool]]:
    return [(root.label, root.source, root.trusted) for root in project.roots]


def test_project_roots_come_first_then_the_users_in_their_order(world: World) -> None:
    world.repository()
    for source in PROJECT_SOURCES:
        world.skills(world.shop / source)
    for source in USER_SOURCES:
        world.skills(world.home / source)
    extra = world.skills(world.top / "extra")
    project = world.find(settings=Settings(roots=(str(extra),)))
    assert seen(project) == [
        *(("project", source, False) for source in PROJECT_SOURCES),
        *(("user", f"~/{source}", True) for source in USER_SOURCES),
        ("configured", str(extra), False),
    ]
    assert project.looked_in == tuple(root.path for root in project.roots)
    assert all(root.exists and os.path.isabs(root.path) for root in project.roots)


def test_roots_that_do_not_exist_are_left_out_but_told_where_they_were_looked_for(world: World) -> None:
    world.skills(world.home / ".agents/skills")
    (world.home / ".codex").mkdir()
    (world.home / ".codex/skills").write_text("a file")
    project = world.find()
    assert seen(project) == [("user", "~/.agents/skills", True)]
    assert len(project.looked_in) == len(PROJECT_SOURCES) + len(USER_SOURCES)
    assert project.looked_in[0] == str(world.shop / ".skills")
    assert str(world.home / ".codex/skills") in project.looked_in


def test_the_project_is_the_repository_around_the_path(world: World) -> None:
    world.repository()
    deep = world.shop / "src" / "deep"
    deep.mkdir(parents=True)
    world.skills(world.shop / ".skills")
    world.skills(deep / ".skills")
    project = world.find(deep)
    assert (project.path, project.is_repository) == (str(world.shop), True)
    assert [root.path for root in project.roots] == [str(world.shop / ".skills")]


def test_a_worktree_or_submodule_has_a_file_named_git(world: World) -> None:
    (world.shop / "sub").mkdir()
    (world.shop / "sub" / ".git").write_text("gitdir: ../.git/modules/sub\n")
    world.repository()
    assert world.find(world.shop / "sub").path == str(world.shop / "sub")


def test_a_pipe_or_a_dangling_link_named_git_makes_no_repository(world: World) -> None:
    os.mkfifo(world.shop / ".git")
    assert not world.find().is_repository
    (world.shop / ".git").unlink()
    (world.shop / ".git").symlink_to("nowhere")
    assert not world.find().is_repository


def test_without_a_repository_the_project_is_the_path(world: World) -> None:
    project = world.find(world.shop)
    assert (project.path, project.is_repository) == (str(world.shop), False)


def test_the_walk_up_does_not_leave_the_file_system(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.repository(world.top / "work")
    assert world.find().path == str(world.top / "work")
    real = os.stat

    def mounted(path: str, *args: object, **kwargs: object) -> os.stat_result:
        info = real(path)
        if path == str(world.top / "work"):
            return os.stat_result((*info[:2], info.st_dev + 1, *info[3:]))
        return info

    monkeypatch.setattr(os, "stat", mounted)
    assert world.find().path == str(world.shop)


def test_a_path_through_a_link_is_the_folder_it_leads_to(world: World) -> None:
    world.repository()
    (world.shop / "src").mkdir()
    (world.top / "link").symlink_to(world.shop / "src")
    assert world.find(world.top / "link").path == str(world.shop)


def test_a_file_stands_for_its_folder(world: World) -> None:
    world.repository()
    world.skills(world.shop / ".skills")
    (world.shop / "README.md").write_text("")
    assert world.find(world.shop / "README.md") == world.find(world.shop)


def test_a_missing_path_is_told_and_lists_the_users_roots_alone(world: World) -> None:
    world.repository()
    world.skills(world.shop / ".skills")
    world.skills(world.home / ".claude/skills")
    project = world.find(world.shop / "none")
    assert project.problems == (f"{world.shop / 'none'} cannot be opened: no such file or directory",)
    assert seen(project) == [("user", "~/.claude/skills", True)]


@pytest.mark.parametrize("name", ["a\x00b", "x" * 5000, "file/below"])
def test_an_impossible_path_is_told_in_one_line(world: World, name: str) -> None:
    (world.shop / "file").write_text("")
    project = world.find(str(world.shop / "file").removesuffix("file") + name)
    assert len(project.problems) == 1
    assert project.problems[0].isprintable()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="nothing is closed to the superuser")
def test_a_folder_closed_to_the_user_is_told(world: World) -> None:
    world.shop.chmod(0)
    try:
        assert "permission denied" in world.find().problems[0]
    finally:
        world.shop.chmod(0o700)


def test_a_removed_working_folder_is_told(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(world.shop)
    world.shop.rmdir()
    assert world.find(".").problems == ("the working folder does not exist any more",)


def test_a_skills_own_folder_makes_the_folder_above_it_the_first_root(world: World) -> None:
    world.repository()
    world.skills(world.shop / ".skills", "known")
    loose = world.skills(world.shop / "drafts", "mine")
    for path in (loose / "mine", loose / "mine" / "SKILL.md"):
        project = world.find(path)
        assert project.path == str(world.shop)
        assert seen(project) == [("path", str(loose), False), ("project", ".skills", False)]


def test_a_folder_of_skills_is_the_first_root_itself(world: World) -> None:
    loose = world.skills(world.top / "skills", "one", "two")
    project = world.find(loose)
    assert project.path == str(loose)
    assert [root.path for root in project.roots] == [str(loose)]


def test_a_repository_that_is_one_skill_is_listed(world: World) -> None:
    world.skills(world.top / "work", "my-skill")
    world.repository(world.top / "work" / "my-skill")
    project = world.find(world.top / "work" / "my-skill")
    assert project.path == str(world.top / "work" / "my-skill")
    assert [(root.path, root.label) for root in project.roots] == [(str(world.top / "work"), "path")]


def test_a_known_root_named_by_the_path_keeps_its_place_and_label(world: World) -> None:
    world.repository()
    world.skills(world.shop / ".skills", "first")
    known = world.skills(world.shop / ".claude/skills", "second")
    expected = [("project", ".skills", False), ("project", ".claude/skills", False)]
    assert seen(world.find(known)) == expected
    assert seen(world.find(known / "second")) == expected


def test_a_skill_folder_of_a_project_without_repository_belongs_to_the_project(world: World) -> None:
    world.skills(world.shop / ".skills", "a")
    inner = world.skills(world.shop / ".claude/skills", "b")
    assert world.find(inner / "b") == world.find(world.shop)
    assert world.find(inner) == world.find(world.shop)


def test_the_users_own_root_named_by_the_path_is_the_users(world: World) -> None:
    own = world.skills(world.home / ".claude/skills", "a")
    assert seen(world.find(own)) == [("user", "~/.claude/skills", True)]
    assert seen(world.find(own / "a")) == [("user", "~/.claude/skills", True)]


@pytest.mark.parametrize("repository", [True, False])
def test_when_the_project_is_the_home_folder_each_root_is_listed_once(world: World, repository: bool) -> None:
    if repository:
        world.repository(world.home)
    world.skills(world.home / ".claude/skills")
    world.skills(world.home / ".skills")
    project = world.find(world.home)
    assert seen(project) == [("project", ".skills", False), ("user", "~/.claude/skills", True)]
    assert len(set(project.looked_in)) == len(project.looked_in)


def test_a_project_link_to_a_user_root_is_the_users_and_trusts_nothing_else(world: World) -> None:
    world.repository()
    own = world.skills(world.home / ".claude/skills", "a")
    (world.shop / ".skills").symlink_to(own)
    (world.shop / ".agents").symlink_to(world.home / ".claude")
    world.skills(world.shop / ".github/skills")
    project = world.find()
    assert seen(project) == [("project", ".github/skills", False), ("user", "~/.claude/skills", True)]
    assert project.roots[1].path == str(own)
    assert project.trusted_roots == (str(own),)


def test_a_project_link_above_a_user_root_is_not_trusted(world: World) -> None:
    world.repository()
    world.skills(world.home / ".claude/skills", "a")
    (world.shop / ".skills").symlink_to(world.home / ".claude")
    (world.shop / ".codex").mkdir()
    (world.shop / ".codex/skills").symlink_to(world.home)
    assert [root.trusted for root in world.find().roots if root.label == "project"] == [False, False]


def test_a_folder_whose_name_only_begins_like_a_trusted_one_is_not_trusted(world: World) -> None:
    world.skills(world.home / ".claude/skills")
    evil = world.skills(world.home / ".claude/skills-evil")
    assert not world.find(settings=Settings(roots=(str(evil),))).roots[-1].trusted


def test_two_names_for_one_project_folder_are_one_root(world: World) -> None:
    world.skills(world.shop / ".claude/skills")
    (world.shop / ".agents").symlink_to(".claude")
    assert seen(world.find()) == [("project", ".claude/skills", False)]


def test_no_file_of_a_project_grants_trust(world: World) -> None:
    world.repository()
    world.skills(world.shop / ".skills", "a")
    for name in (
        "config.yaml",
        ".skillui.yaml",
        ".skillui/config.yaml",
        ".skills/config.yaml",
        ".claude/settings.json",
    ):
        (world.shop / name).parent.mkdir(exist_ok=True)
        (world.shop / name).write_text(f"trusted_roots: [{world.shop}]\n")
    project = world.find(settings=load_settings(str(world.home / "config.yaml")).settings)
    assert project.trusted_roots == ()
    assert seen(project) == [("project", ".skills", False)]


def test_named_trusted_roots_trust_what_lies_in_them(world: World) -> None:
    world.repository()
    inner = world.skills(world.shop / ".skills")
    extra = world.skills(world.top / "extra")
    by_settings = world.find(settings=Settings(roots=(str(extra),), trusted_roots=(str(extra),)))
    assert seen(by_settings) == [("project", ".skills", False), ("configured", str(extra), True)]
    by_command = world.find(trusted=[str(world.shop)])
    assert seen(by_command) == [("project", ".skills", True)]
    assert world.find(trusted=[str(inner)]).trusted_roots == (str(inner),)


def test_a_trusted_root_that_is_no_folder_is_told_and_not_used(world: World) -> None:
    (world.top / "file").write_text("")
    project = world.find(
        settings=Settings(trusted_roots=("skills", str(world.top / "none"))), trusted=[str(world.top / "file")]
    )
    assert project.trusted_roots == ()
    assert [problem.split()[2] for problem in project.problems] == [
        "skills",
        str(world.top / "none"),
        str(world.top / "file"),
    ]


def test_a_project_cannot_turn_a_trusted_name_of_its_own_to_elsewhere(world: World) -> None:
    world.repository()
    named = world.shop / ".claude/skills"
    world.skills(named)
    settings = Settings(trusted_roots=(str(named),))
    assert seen(world.find(settings=settings)) == [("project", ".claude/skills", True)]
    named.rmdir()
    named.symlink_to(world.top)
    project = world.find(settings=settings)
    assert project.trusted_roots == ()
    assert "links it to elsewhere" in project.problems[0]
    assert seen(project) == [("project", ".claude/skills", False)]


@pytest.mark.parametrize("through", ["name", "absolute link", "relative link"])
def test_another_repository_cannot_turn_a_trusted_name_either(world: World, through: str) -> None:
    other = world.top / "work" / "other"
    other.mkdir()
    world.repository(other)
    (other / "skills").symlink_to(os.pardir)
    named = other / "skills"
    if through != "name":
        named = world.home / "mine"
        named.symlink_to(other / "skills" if through == "absolute link" else "../work/./other/skills")
    world.skills(world.shop / ".skills", "a")
    project = world.find(settings=Settings(trusted_roots=(str(named),)))
    assert project.trusted_roots == ()
    assert "links it to elsewhere" in project.problems[0]
    assert seen(project) == [("project", ".skills", False)]


def test_a_link_within_a_repository_may_be_trusted(world: World) -> None:
    world.repository()
    real = world.skills(world.shop / "docs")
    (world.shop / ".skills").symlink_to("docs")
    (world.home / "mine").symlink_to(world.shop / ".skills")
    assert world.find(trusted=[str(world.home / "mine")]).trusted_roots == (str(real),)


def test_links_in_a_circle_are_no_trusted_root(world: World) -> None:
    (world.home / "a").symlink_to("b")
    (world.home / "b").symlink_to("a")
    project = world.find(trusted=[str(world.home / "a")])
    assert project.trusted_roots == ()
    assert len(project.problems) == 1


def test_the_users_own_links_are_followed(world: World) -> None:
    dotfiles = world.skills(world.top / "dotfiles" / "skills", "a")
    (world.home / ".claude").mkdir()
    (world.home / ".claude/skills").symlink_to(dotfiles)
    (world.home / "shared").symlink_to(dotfiles.parent)
    world.repository(world.home)
    project = world.find(world.home, settings=Settings(trusted_roots=(str(world.home / "shared"),)))
    assert seen(project) == [("user", "~/.claude/skills", True)]
    assert project.trusted_roots == (str(dotfiles), str(dotfiles.parent))
    assert project.problems == ()


def test_root_options_replace_every_other_root_in_their_order(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.skills(world.shop / ".skills")
    own = world.skills(world.home / ".claude/skills")
    first = world.skills(world.top / "first")
    monkeypatch.chdir(world.top)
    monkeypatch.setenv("HOME", str(world.home))
    project = world.find(
        settings=Settings(roots=(str(world.top / "extra"),)), roots=["none", "first", "~/.claude/skills", "./first/"]
    )
    assert seen(project) == [("root", "none", False), ("root", "first", False), ("root", "~/.claude/skills", True)]
    assert [root.path for root in project.roots] == [str(world.top / "none"), str(first), str(own)]
    assert [root.exists for root in project.roots] == [False, True, True]
    assert project.looked_in == tuple(root.path for root in project.roots)


def test_a_configured_root_that_does_not_exist_stays_listed(world: World) -> None:
    project = world.find(settings=Settings(roots=(str(world.home / "gone"),)))
    assert [(root.source, root.exists, root.trusted) for root in project.roots] == [("~/gone", False, False)]


@pytest.mark.parametrize("home", ["", ".", "~", "home"])
def test_a_home_that_is_not_absolute_is_nobodys(world: World, monkeypatch: pytest.MonkeyPatch, home: str) -> None:
    world.skills(world.shop / ".claude/skills")
    world.skills(world.shop / "home/.claude/skills")
    monkeypatch.chdir(world.shop)
    project = find_project(".", home=home)
    assert seen(project) == [("project", ".claude/skills", False)]
    assert project.trusted_roots == ()


def test_the_home_folder_is_the_environments(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    own = world.skills(world.home / ".claude/skills")
    monkeypatch.setenv("HOME", str(world.home))
    assert [root.path for root in find_project(str(world.shop)).roots] == [str(own)]


def test_a_session_has_the_roots_the_trust_and_the_engines_defaults(world: World) -> None:
    world.repository()
    inner = world.skills(world.shop / ".skills", "a")
    own = world.skills(world.home / ".claude/skills", "b")
    config = session_config(world.find(), "s1")
    assert config.cwd == str(world.shop)
    assert config.roots == (str(inner), str(own))
    assert config.resolved_fence == config.roots
    assert config.resolved_trusted == (str(own),)
    assert config.session_id == "s1"
    assert config.untrusted_project_skills == "hook_required"
    assert not config.bypass_workspace_guard
    assert not config.unsafe_allow_skill_without_hook


def test_a_project_root_that_leads_out_of_the_project_does_not_widen_the_fence(world: World) -> None:
    world.repository()
    private = world.skills(world.top / "private", "a")
    (world.shop / ".skills").symlink_to(private)
    project = world.find()
    assert session_config(project).roots == (str(world.shop / ".skills"),)
    assert session_config(project).resolved_fence == ()
    trusting = world.find(trusted=[str(private)])
    assert session_config(trusting).resolved_fence == (str(private),)


def test_a_session_without_any_root_has_none(world: World) -> None:
    config = session_config(world.find())
    assert (config.roots, config.resolved_fence, config.resolved_trusted) == ((), (), ())


def test_a_path_below_the_home_folder_is_written_short() -> None:
    assert shortened("/home/ada/x", "/home/ada") == "~/x"
    assert shortened("/home/ada", "/home/ada") == "~"
    assert shortened("/home/adam", "/home/ada") == "/home/adam"
    assert shortened("/x", "/") == "/x"
    assert shortened("/x", None) == "/x"


def test_a_link_in_a_circle_does_not_hide_that_a_folder_holds_skills(tmp_path: Path) -> None:
    world = World(tmp_path)
    folder = world.skills(world.shop, "review")
    for name in "abcyz":  # whatever comes first where the folder is read
        (folder / name).symlink_to(name)
    (folder / "gone").symlink_to("nowhere")
    assert holds_skills(str(folder))
    (folder / "review" / "SKILL.md").unlink()
    assert not holds_skills(str(folder))
