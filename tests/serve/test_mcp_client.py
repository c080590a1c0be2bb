"""`skillui mcp` as a client of the Model Context Protocol sees it: the SDK's own, over a real process's pipes."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import mcp_types
import pytest
from mcp import Client
from mcp.client.subscriptions import Subscription
from mcp.shared.exceptions import MCPError

from skillui.core import PermissionRequest
from skillui.core.tool import DESCRIPTION, tool_definition
from skillui.serve.broker_client import NOBODY
from skillui.serve.broker_request import ask_from_disk
from skillui.serve.broker_server import BrokerServer
from tests.serve.asking import Person, short_folder, until
from tests.serve.mcp_world import Shop, text_of

posix = pytest.mark.skipif(os.name != "posix", reason="Unix sockets")


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    with short_folder() as run:
        yield Shop(tmp_path.resolve(), run)


@contextlib.asynccontextmanager
async def running(shop: Shop, person: Person) -> AsyncIterator[BrokerServer]:
    asked: list[Any] = []

    async def dialog(question: PermissionRequest) -> str:
        return await person.ask(asked.pop())

    server = BrokerServer(
        shop.environ["SKILLUI_RUNTIME_DIR"], ask_from_disk(dialog, told=lambda request, _: asked.append(request)),
        project=str(shop.top),
    )  # fmt: skip
    await server.start()
    try:
        yield server
    finally:
        await server.close()


async def description(client: Client) -> str:
    (tool,) = (await client.list_tools()).tools
    assert tool.description is not None
    return tool.description


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_both_eras_of_the_protocol_list_and_call_the_one_tool(shop: Shop, mode: str) -> None:
    shop.decide("approved", shop.skill(shop.untrusted, "deploy", description="Deploys."))
    shop.skill(shop.trusted, "manual", more="disable-model-invocation: true\n")
    shop.skill(shop.trusted, "broken", description="")
    async with shop.client(mode=mode) as client:
        (tool,) = (await client.list_tools()).tools
        assert (tool.name, tool.input_schema) == ("skill", tool_definition()["input_schema"])
        assert tool.description is not None
        assert tool.description.startswith(DESCRIPTION)
        assert tool.description.endswith("\n- deploy: Deploys.")
        first = await client.call_tool("skill", {"name": "deploy", "arguments": "now"})
        second = await client.call_tool("skill", {"name": "deploy"})
    assert "<instructions>\nHello now.\n" in text_of(first)
    assert (first.is_error, second.is_error) == (False, False)
    assert text_of(second) == (
        '(Skill "deploy" is already active in this session. Body was loaded at turn 1. No new content was added.)'
    )
    assert first.structured_content is not None
    assert first.structured_content["output"] == text_of(first)
    assert second.structured_content == {
        "kind": "already_loaded", "output": text_of(second), "name": "deploy", "at_turn": 1,
    }  # fmt: skip


async def test_not_found_and_every_error_are_the_engines_own_words(shop: Shop) -> None:
    shop.skill(shop.trusted, "guide", more="arguments:\n  path: {required: true}\n")
    shop.skill(shop.trusted, "manual", more="disable-model-invocation: true\n")
    shop.skill(shop.trusted, "broken", description="")
    shop.skill(shop.trusted, "elsewhere", name="other")
    shop.skill(shop.trusted, "secrets")
    outside = shop.skill(shop.top / "outside", "wanderer")
    (shop.trusted / "wanderer").symlink_to(outside)
    (shop.trusted / "unreadable").mkdir()
    (shop.trusted / "unreadable" / "SKILL.md").mkdir()
    shop.skill(shop.untrusted, "deploy")
    shop.skill(shop.trusted, "plain")
    calls: list[tuple[dict[str, Any], str, str]] = [
        ({"name": "guid"}, "not_found", "Did you mean: guide?"),
        ({}, "INVALID_PARAM", "name"),
        ({"name": "No Name"}, "INVALID_PARAM", "skill name must be lowercase-kebab-case"),
        ({"name": "guide", "reload": True}, "INVALID_PARAM", "skills load once per session"),
        ({"name": "guide", "arguments": "text"}, "INVALID_PARAM", "expects named arguments: path"),
        ({"name": "guide"}, "INVALID_PARAM", "path"),
        ({"name": ["guide"]}, "INVALID_PARAM", "name"),
        ({"name": "manual"}, "DISABLED", "manual"),
        ({"name": "broken"}, "INVALID_FRONTMATTER", "description"),
        ({"name": "elsewhere"}, "NAME_MISMATCH", "other"),
        ({"name": "unreadable"}, "IO_ERROR", "directory"),
        ({"name": "secrets"}, "SENSITIVE", NOBODY),
        ({"name": "wanderer"}, "OUTSIDE_WORKSPACE", NOBODY),
        ({"name": "deploy"}, "NOT_TRUSTED", NOBODY),
        ({"name": "plain"}, "PERMISSION_DENIED", NOBODY),
    ]
    async with shop.client() as client:
        for arguments, code, words in calls:
            result = await client.call_tool("skill", arguments)
            assert result.is_error
            assert words in text_of(result)
            found = result.structured_content
            assert found is not None
            assert found["output"] == text_of(result)
            assert found["kind" if code == "not_found" else "error"] == code or found["error"]["code"] == code
            assert code == "not_found" or text_of(result).startswith(f"Error [{code}]: ")


async def test_another_tool_is_an_error_of_the_protocol(shop: Shop) -> None:
    async with shop.client() as client:
        with pytest.raises(MCPError, match="no tool 'bash'"):
            await client.call_tool("bash", {"command": "ls"})


async def test_calls_at_once_load_each_skill_once(shop: Shop) -> None:
    names = [f"skill-{number}" for number in range(5)]
    for name in names:
        shop.decide("approved", shop.skill(shop.untrusted, name))
    async with shop.client() as client:
        results = await asyncio.gather(*(client.call_tool("skill", {"name": name}) for name in names * 4))
    kinds = [(result.structured_content or {})["kind"] for result in results]
    assert (kinds.count("ok"), kinds.count("already_loaded")) == (5, 15)
    for name, result in zip(names * 4, results, strict=True):
        assert f'"{name}"' in text_of(result)


@posix
async def test_a_running_skillui_is_asked_and_each_connection_is_a_session(shop: Shop) -> None:
    folder = shop.skill(shop.untrusted, "deploy")
    person = Person().says("allow_once", "deny")
    async with running(shop, person):
        async with shop.client() as client:
            assert not (await client.call_tool("skill", {"name": "deploy"})).is_error
        async with shop.client() as client:
            denied = await client.call_tool("skill", {"name": "deploy"})
    assert text_of(denied).startswith("Error [NOT_TRUSTED]")
    assert [(asked.name, asked.dir, asked.asking.via) for asked in person.asked] == [("deploy", str(folder), "mcp")] * 2
    log = [(entry.answer, entry.via) for entry in shop.store.audit() if entry.kind == "prompt"]
    assert log == [("allow_once", "mcp"), ("deny", "mcp")]


@posix
async def test_always_is_remembered_and_then_readable_as_a_resource(shop: Shop) -> None:
    shop.skill(shop.untrusted, "deploy")
    async with running(shop, Person().says("allow")), shop.client() as client:
        with pytest.raises(MCPError, match="nobody approved this content"):
            await client.read_resource("skill://deploy")
        assert not (await client.call_tool("skill", {"name": "deploy"})).is_error
        assert (await client.read_resource("skill://deploy")).contents
    (decision,) = shop.store.decisions()
    assert decision.place.root == str(shop.untrusted)


@posix
async def test_a_cancelled_call_withdraws_its_question_and_the_next_is_served(shop: Shop) -> None:
    shop.skill(shop.untrusted, "deploy")
    person = Person()
    async with running(shop, person) as server, shop.client() as client:
        call = asyncio.create_task(client.call_tool("skill", {"name": "deploy"}))
        await until(lambda: person.asked)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await until(lambda: person.withdrawn == 1 and server.waiting == 0)
        assert "NOT_FOUND" not in text_of(await client.call_tool("skill", {"name": "nothing"}))
        person.says("allow_once")
        assert not (await client.call_tool("skill", {"name": "deploy"})).is_error


@posix
async def test_a_client_that_leaves_withdraws_its_question(shop: Shop) -> None:
    shop.skill(shop.untrusted, "deploy")
    person = Person()
    async with running(shop, person) as server:
        async with shop.client() as client:
            call = asyncio.create_task(client.call_tool("skill", {"name": "deploy"}))
            await until(lambda: person.asked)
        await until(lambda: person.withdrawn == 1 and server.waiting == 0)
        with pytest.raises((MCPError, asyncio.CancelledError)):
            await call
    assert [entry.answer for entry in shop.store.audit() if entry.kind == "prompt"] == ["deny"]


async def test_skills_are_listed_as_resources_and_read_where_trusted(shop: Shop) -> None:
    folder = shop.skill(shop.trusted, "guide", description="Guides.")
    (folder / "assets").mkdir()
    (folder / "assets" / "a b.bin").write_bytes(b"\xff\0")
    shop.skill(shop.untrusted, "deploy")
    shop.skill(shop.trusted, "manual", more="disable-model-invocation: true\n")
    async with shop.client() as client:
        listed = (await client.list_resources()).resources
        (template,) = (await client.list_resource_templates()).resource_templates
        (text,) = (await client.read_resource("skill://guide")).contents
        (blob,) = (await client.read_resource("skill://guide/assets/a%20b.bin")).contents
        for uri, words in (
            ("skill://deploy", "nobody approved"),
            ("skill://manual", "for people alone"),
            ("x:", "address"),
        ):
            with pytest.raises(MCPError, match=words):
                await client.read_resource(uri)
    assert [(resource.uri, resource.name) for resource in listed] == [
        ("skill://deploy", "deploy"),
        ("skill://guide", "guide"),
    ]
    assert listed[1].description == "guide: Guides."
    assert template.uri_template == "skill://{name}/{+path}"
    assert isinstance(text, mcp_types.TextResourceContents)
    assert (text.text, text.mime_type) == ((folder / "SKILL.md").read_text(), "text/markdown")
    assert isinstance(blob, mcp_types.BlobResourceContents)
    assert (blob.uri, base64.b64decode(blob.blob)) == ("skill://guide/assets/a%20b.bin", b"\xff\0")


async def test_many_resources_are_listed_in_pages(shop: Shop) -> None:
    for number in range(1101):
        shop.skill(shop.trusted, f"skill-{number:04}")
    found: list[str] = []
    async with shop.client() as client:
        pages, cursor = 0, None
        while pages == 0 or cursor is not None:
            page = await client.list_resources(cursor=cursor)
            found += [resource.name for resource in page.resources]
            pages, cursor = pages + 1, page.next_cursor
    assert (pages, found) == (3, [f"skill-{number:04}" for number in range(1101)])


async def test_the_budget_is_the_commands_own(shop: Shop) -> None:
    for number in range(100):
        shop.skill(shop.trusted, f"skill-{number:02}", description="x" * 200)
    async with shop.client() as client:
        text = await description(client)
        assert 7_700 < len(text) - len(DESCRIPTION) < 8_100
        assert text.endswith("more skills are installed; the list has no room for them.)")
    async with shop.client("--budget", "0") as client:
        assert "(100 more skills are installed" in await description(client)
    async with shop.client("--budget", "100000") as client:
        assert "- skill-99: " in await description(client)


async def test_changed_files_change_the_catalog_and_the_client_is_told(shop: Shop) -> None:
    told: list[str] = []

    async def hear(message: Any) -> None:
        told.append(message.method)

    shop.skill(shop.trusted, "first")
    async with shop.client(message_handler=hear) as client:
        assert client.server_capabilities.tools == mcp_types.ToolsCapability(list_changed=True)
        assert "- second" not in await description(client)
        shop.skill(shop.untrusted, "second")
        result = await client.call_tool("skill", {"name": "second"})
        assert text_of(result).startswith("Error [NOT_TRUSTED]")
        await until(lambda: len(told) == 2)
        assert told == ["notifications/tools/list_changed", "notifications/resources/list_changed"]
        assert "- second" in await description(client)
        shop.skill(shop.untrusted, "third")
        assert "- third" in await description(client)
        await until(lambda: len(told) == 3)
        assert told[2] == "notifications/resources/list_changed"


async def test_a_client_of_the_later_era_is_told_where_it_listens(shop: Shop) -> None:
    async with shop.client(mode="auto") as client:
        await description(client)
        async with client.listen(tools_list_changed=True) as heard:
            shop.skill(shop.untrusted, "second")
            await client.call_tool("skill", {"name": "second"})
            assert isinstance(heard, Subscription)
            event = await anext(aiter(heard))
            assert type(event).__name__ == "ToolsListChanged"


HOSTILE = '\U0001f4a9 \u2028 \u0085 \ufffe </skill> {"jsonrpc": "2.0"} \u202e \x7f'


def make_hostile(shop: Shop) -> None:
    """Make skills whose text, numbers and file names are made to break a line or a reader of JSON."""
    odd = shop.skill(shop.untrusted, "odd", HOSTILE, f"x-number: {'9' * 4000}\nx-nan: .nan\n")
    lone = shop.skill(shop.untrusted, "lone", more='x-lone: "\\ud83d"\n')
    plain = shop.skill(shop.untrusted, "plain", description=json.dumps("a\nb \u2028 c"))
    for folder in (odd, lone, plain):
        (folder / "scripts").mkdir()
        Path(os.fsdecode(os.fsencode(str(folder)) + b"/scripts/\xff\n{}.sh")).write_bytes(b"")
        shop.decide("approved", folder)
    broken = Path(os.fsdecode(os.fsencode(str(shop.untrusted)) + b"/\xff\n"))
    broken.mkdir()
    (broken / "SKILL.md").write_bytes(b"\xff")


async def test_hostile_text_and_names_stay_inside_their_message(shop: Shop) -> None:
    make_hostile(shop)
    async with shop.client() as client:
        assert "\n- plain: a b c" in await description(client)
        odd = await client.call_tool("skill", {"name": "odd"})
        assert HOSTILE in text_of(odd)
        assert r"scripts/\xff\n{}.sh" in text_of(odd)
        assert odd.structured_content is not None
        assert odd.structured_content["frontmatter"]["x-nan"] == ".nan"
        lone = text_of(await client.call_tool("skill", {"name": "lone"}))
        assert lone.startswith("Error [INVALID_FRONTMATTER]")
        missing = await client.call_tool("skill", {"name": "\x00\u2028'\"" * 100, "arguments": {"\x1b": "\u202e"}})
        assert text_of(missing).startswith("Error [INVALID_PARAM]")
        with pytest.raises(MCPError, match="has no file"):
            await client.read_resource("skill://odd/%00\u2028\x1b[31m")
        assert [resource.name for resource in (await client.list_resources()).resources] == ["odd", "plain"]
