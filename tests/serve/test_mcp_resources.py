"""Skills as resources: nothing is given out that the gate would not let pass, and nothing outside the skill."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from skillui.core import FilesystemSkillRegistry, SessionConfig, SkillSession
from skillui.core.files import read_regular
from skillui.serve import mcp_resources
from skillui.serve.mcp_address import Address, ResourceFault, read_address
from skillui.serve.mcp_resources import MAX_RESOURCE, Content, SkillResources
from tests.serve.mcp_world import Shop


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path.resolve())


def resources(shop: Shop, **settings: Any) -> SkillResources:
    roots = (str(shop.untrusted), str(shop.trusted))
    config = SessionConfig(
        **{"cwd": str(shop.top), "skill_roots": roots, "trusted_roots": (str(shop.trusted),), **settings}
    )
    registry = FilesystemSkillRegistry(config.roots)
    return SkillResources(SkillSession(config, registry=registry), registry, shop.store)


def read(shop: Shop, uri: str, **settings: Any) -> Content:
    return resources(shop, **settings).read(uri)


def refused(shop: Shop, uri: str, **settings: Any) -> str:
    with pytest.raises(ResourceFault) as fault:
        read(shop, uri, **settings)
    assert "\n" not in str(fault.value)
    return str(fault.value)


def put(folder: Path, path: str, data: bytes = b"Data.\n") -> Path:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return file


@pytest.mark.parametrize(
    "uri", ["skill://a", "skill://a/", "skill://a/SKILL.md", "SKILL://a", "skill://%61/SKILL%2Emd"]
)
def test_an_address_of_skill_md_is_read_in_every_spelling(uri: str) -> None:
    address = read_address(uri)
    assert address == Address("a", b"SKILL.md")
    assert address.uri == "skill://a"


@pytest.mark.parametrize(
    "path", [b"scripts/a b.py", b"100%/#1?.txt", "größe/表.md".encode(), b"\xff\n", b"a//b", b"%41"]
)
def test_odd_names_survive_the_way_there_and_back(path: bytes) -> None:
    uri = Address("a", path).uri
    assert uri.isascii()
    assert read_address(uri) == Address("a", path)


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "a",
        "file:///etc/passwd",
        "skill:a",
        "skill://a?x",
        "skill://a/b#c",
        "skill://a/%zz",
        "skill://a/%",
        "x" * 20_000,
    ],
)
def test_what_is_no_address_is_refused(shop: Shop, uri: str) -> None:
    assert "address" in refused(shop, uri)


def test_a_trusted_skill_is_read_as_its_file_stands(shop: Shop) -> None:
    folder = shop.skill(shop.trusted, "guide", "Line\r\n\u2028 größe")
    content = read(shop, "skill://guide")
    assert content.data == (folder / "SKILL.md").read_bytes()
    assert content.media_type == "text/markdown"
    assert shop.store.audit() == ()


def test_an_untrusted_skill_is_refused_until_exactly_its_content_is_approved(shop: Shop) -> None:
    folder = shop.skill(shop.untrusted, "deploy")
    put(folder, "references/more.txt")
    for uri in ("skill://deploy", "skill://deploy/references/more.txt", "skill://deploy/no/such"):
        assert "nobody approved this content" in refused(shop, uri)
    shop.decide("approved", folder)
    assert read(shop, "skill://deploy").text == (folder / "SKILL.md").read_text()
    assert read(shop, "skill://deploy/references/more.txt").data == b"Data.\n"
    put(folder, "references/more.txt", b"Other.\n")
    assert "nobody approved this content" in refused(shop, "skill://deploy")
    answers = (*("deny",) * 3, "allow", "allow", "deny")
    log = [
        (entry.kind, entry.name, entry.answer, entry.via) for entry in shop.store.audit() if entry.kind == "activation"
    ]
    assert log == [("activation", "deploy", answer, "mcp") for answer in answers]


def test_denied_content_is_refused_in_a_trusted_root_too(shop: Shop) -> None:
    shop.decide("denied", shop.skill(shop.trusted, "guide"))
    assert "was denied by Ada" in refused(shop, "skill://guide")


def test_a_store_that_cannot_be_read_is_a_refusal(shop: Shop) -> None:
    shop.skill(shop.trusted, "guide")
    Path(shop.store.path).parent.mkdir(parents=True)
    Path(shop.store.path).write_bytes(b"no database at all" * 100)
    assert "cannot be looked up among the decisions" in refused(shop, "skill://guide")


@pytest.mark.parametrize("mode", ["warn", "allow"])
def test_no_mode_of_the_session_replaces_an_approval(shop: Shop, mode: str) -> None:
    shop.skill(shop.untrusted, "deploy")
    assert "nobody approved" in refused(shop, "skill://deploy", untrusted_project_skills=mode)
    assert "nobody approved" in refused(shop, "skill://deploy", unsafe_allow_skill_without_hook=True)


def test_a_place_where_no_skill_should_be_is_refused_whatever_was_approved(shop: Shop) -> None:
    folder = shop.skill(shop.untrusted, "secrets")
    shop.decide("approved", folder)
    assert "lies in a sensitive place" in refused(shop, "skill://secrets")
    outside = shop.skill(shop.top / "outside", "wanderer")
    (shop.trusted / "wanderer").symlink_to(outside)
    shop.decide("approved", outside)
    assert "outside every workspace root" in refused(shop, "skill://wanderer")


def test_what_the_model_is_not_offered_it_cannot_read(shop: Shop) -> None:
    shop.skill(shop.trusted, "manual", more="disable-model-invocation: true\n")
    shop.skill(shop.trusted, "broken", name="other")
    assert "disable-model-invocation" in refused(shop, "skill://manual")
    assert 'skill "broken" is broken' in refused(shop, "skill://broken")
    assert 'no skill "nothing"' in refused(shop, "skill://nothing")
    assert "no skill" in refused(shop, "skill://..%2F..%2Fetc/passwd")


@pytest.mark.parametrize(
    "path",
    [
        "../other/SKILL.md", "%2E%2E/other/SKILL.md", "scripts/../SKILL.md", "./SKILL.md", "/etc/passwd",
        "%2Fetc%2Fpasswd", "scripts", "scripts/", "skill.md", "no/such.txt", "%00", ".hidden", "references/.env",
        ".git/config", "__pycache__/x.pyc", "C:%5Cx", "scripts%5Crun.sh",
    ],
)  # fmt: skip
def test_a_path_is_that_of_a_file_of_the_skill_or_nothing(shop: Shop, path: str) -> None:
    folder = shop.skill(shop.trusted, "guide")
    shop.skill(shop.trusted, "other")
    for name in ("scripts/run.sh", ".hidden", "references/.env", ".git/config", "__pycache__/x.pyc"):
        put(folder, name)
    assert "has no file" in refused(shop, f"skill://guide/{path}")


def test_links_are_never_followed(shop: Shop) -> None:
    secret = put(shop.top, "secret.txt")
    folder = shop.skill(shop.trusted, "guide")
    put(folder, "references/real.txt")
    (folder / "references" / "out.txt").symlink_to(secret)
    (folder / "references" / "in.txt").symlink_to("real.txt")
    (folder / "elsewhere").symlink_to("references")
    for path in ("references/out.txt", "references/in.txt", "elsewhere"):
        assert "is a link" in refused(shop, f"skill://guide/{path}")
    assert "has no file" in refused(shop, "skill://guide/elsewhere/real.txt")
    assert read(shop, "skill://guide/references/real.txt").data == b"Data.\n"


def test_a_file_in_a_sensitive_folder_of_a_skill_is_refused(shop: Shop) -> None:
    put(shop.skill(shop.trusted, "guide"), "secrets/key.txt")
    assert "sensitive place" in refused(shop, "skill://guide/secrets/key.txt")


def test_files_are_text_where_they_are_and_bytes_where_not_up_to_a_size(shop: Shop) -> None:
    folder = shop.skill(shop.trusted, "guide")
    text, binary = "text/plain", "application/octet-stream"
    cases = [
        ("a.md", "text/markdown", b"x"), ("b.sh", text, "ö".encode()), ("most", text, b"x" * MAX_RESOURCE),
        ("c.bin", binary, b"\xff\xfe"), ("d.txt", binary, b"a\0b"),
    ]  # fmt: skip
    for name, _, data in cases:
        put(folder, f"assets/{name}", data)
    put(folder, "assets/more", b"x" * (MAX_RESOURCE + 1))
    for name, media_type, data in cases:
        content = read(shop, f"skill://guide/assets/{name}")
        assert (content.media_type, content.data) == (media_type, data)
        assert (content.text is None) == (media_type == binary)
    assert "past the limit of 1,048,576" in refused(shop, "skill://guide/assets/more")
    shop.skill(shop.trusted, "long", "x" * MAX_RESOURCE)
    assert "past the limit of 1,048,576" in refused(shop, "skill://long")


def test_a_file_with_an_odd_name_is_found_by_its_encoded_address(shop: Shop) -> None:
    folder = shop.skill(shop.trusted, "guide")
    name = b"references/\xff \n%?.txt"
    (folder / "references").mkdir()
    Path(os.fsdecode(os.fsencode(str(folder)) + b"/" + name)).write_bytes(b"odd")
    assert read(shop, Address("guide", name).uri).data == b"odd"


def test_a_file_that_changes_while_it_is_read_is_refused(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = shop.skill(shop.untrusted, "deploy")
    file = put(folder, "references/more.txt")
    shop.decide("approved", folder)

    def swapped(path: str, limit: int) -> Any:
        file.write_bytes(b"Evil.\n")
        return read_regular(path, limit)

    monkeypatch.setattr(mcp_resources, "read_regular", swapped)
    assert "changed while it was read" in refused(shop, "skill://deploy/references/more.txt")


def test_content_without_a_digest_gives_out_no_file_but_a_trusted_skill_md(shop: Shop) -> None:
    for root, name in ((shop.trusted, "guide"), (shop.untrusted, "deploy")):
        folder = shop.skill(root, name)
        put(folder, "a.txt")
        os.mkfifo(folder / "pipe")
    assert read(shop, "skill://guide").text is not None
    assert "pipe is a named pipe" in refused(shop, "skill://guide/a.txt")
    assert "cannot be approved: pipe is a named pipe" in refused(shop, "skill://deploy")
