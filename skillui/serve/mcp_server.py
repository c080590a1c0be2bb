"""`skillui mcp`: the skills of a project for a client of the Model Context Protocol, on standard input and output."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import logging
import signal
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import anyio
import mcp_types
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourcesListChanged, ToolsListChanged
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from skillui import __version__
from skillui.core.catalog import Catalog
from skillui.core.config import SessionConfig
from skillui.core.permission import PermissionHook
from skillui.core.registry import FilesystemSkillRegistry
from skillui.core.results import SkillResult
from skillui.core.session import SkillSession
from skillui.core.text import clipped, escaped, json_safe
from skillui.core.tool import TOOL_NAME, tool_definition
from skillui.review.store import DecisionStore
from skillui.serve.mcp_address import TEMPLATE, Address, ResourceFault
from skillui.serve.mcp_catalog import describe, listing_line
from skillui.serve.mcp_resources import Content, SkillResources
from skillui.serve.mcp_stdio import Stdio
from skillui.serve.mcp_wire import connect

PAGE = 500
"""Resources that one answer lists."""

Context = ServerRequestContext[Any, Any]
Paging = mcp_types.PaginatedRequestParams | None
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Raw:
    """The arguments of a call as they were sent, where the protocol would not have them."""

    value: Any


class SkillServer:
    """One connection: its session, what the client was told last, and the answers to its requests."""

    def __init__(self, config: SessionConfig, store: DecisionStore, hook: PermissionHook, *, budget: int) -> None:
        self.registry = FilesystemSkillRegistry(config.roots)
        self.session = SkillSession(config, registry=self.registry, hook=hook)
        self.resources = SkillResources(self.session, self.registry, store)
        self._budget = budget
        self._told: str | None = None
        self._bus = InMemorySubscriptionBus()
        self.server: Server[Any] = Server(
            "skillui",
            version=__version__,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_subscriptions_listen=ListenHandler(self._bus),
        )
        # In place of the SDK's own, which would hand every message to a tracer where one is set up.
        self.server.middleware[:] = [_keep_arguments]

    async def run(self, stdio: Stdio) -> None:
        """Serve until the client is gone; what was still being asked then is denied."""
        changes = NotificationOptions(tools_changed=True, resources_changed=True)
        try:
            async with connect(stdio) as (incoming, outgoing):
                await self.server.run(incoming, outgoing, self.server.create_initialization_options(changes))
        except* (anyio.BrokenResourceError, anyio.ClosedResourceError):
            pass  # a message that was on its way inside the SDK when the end came
        finally:
            self.session.close()

    async def _list_tools(self, context: Context, params: Paging) -> mcp_types.ListToolsResult:
        await self._refresh(context, "tools")
        definition = tool_definition()
        tool = mcp_types.Tool(
            name=definition["name"], description=self._told, input_schema=definition["input_schema"]
        )  # fmt: skip
        return mcp_types.ListToolsResult(tools=[tool])

    async def _call_tool(self, context: Context, params: mcp_types.CallToolRequestParams) -> mcp_types.CallToolResult:
        if params.name != TOOL_NAME:
            raise _fault(f"there is no tool '{clipped(params.name)}'; the only one is '{TOOL_NAME}'")
        await self._refresh(context)
        raw = context.request
        given = raw.value if isinstance(raw, _Raw) else params.arguments or {}
        result = await self.session.skill(given)
        self.session.state.records.clear()  # nobody reads them here, and each holds its body
        return _tool_result(result)

    async def _list_resources(self, context: Context, params: Paging) -> mcp_types.ListResourcesResult:
        catalog = await self._refresh(context, "resources")
        after = params.cursor if params is not None and params.cursor is not None else ""
        left = [entry for entry in catalog.view("model") if entry.name > after]
        resources = [
            mcp_types.Resource(
                name=entry.name, uri=Address(entry.name, b"SKILL.md").uri, description=listing_line(entry),
                mime_type="text/markdown",
            )
            for entry in left[:PAGE]
        ]  # fmt: skip
        cursor = left[PAGE - 1].name if len(left) > PAGE else None
        return mcp_types.ListResourcesResult(resources=resources, next_cursor=cursor)

    async def _list_templates(self, context: Context, params: Paging) -> mcp_types.ListResourceTemplatesResult:
        words = "A file of a skill, by its path below the skill's folder; only of skills that are trusted or approved."
        template = mcp_types.ResourceTemplate(name="skill-file", uri_template=TEMPLATE, description=words)
        return mcp_types.ListResourceTemplatesResult(resource_templates=[template])

    async def _read_resource(
        self, context: Context, params: mcp_types.ReadResourceRequestParams
    ) -> mcp_types.ReadResourceResult:
        await self._refresh(context)
        try:
            content = await asyncio.to_thread(self.resources.read, params.uri)
        except ResourceFault as fault:
            raise _fault(str(fault)) from None
        return mcp_types.ReadResourceResult(contents=[_contents(content)])

    async def _refresh(self, context: Context, listing: Literal["tools", "resources"] | None = None) -> Catalog:
        """Look at the files again; a client that saw another catalog is told, but for the list it asks for now."""
        catalog = await self.registry.read_catalog()
        text = await asyncio.to_thread(describe, catalog.view("model"), self._budget)
        before, self._told = self._told, text
        if before is not None and before != text:
            if listing != "tools":
                await context.session.send_tool_list_changed()
                await self._bus.publish(ToolsListChanged())
            if listing != "resources":
                await context.session.send_resource_list_changed()
                await self._bus.publish(ResourcesListChanged())
        return catalog


async def _keep_arguments(ctx: Context, call_next: CallNext) -> HandlerResult:
    """Let a call's arguments through that are no object, which the SDK refuses: the engine says what is wrong.

    What fails all the same is answered in one line, without a trace of the inside.
    """
    sent = ctx.params
    if ctx.method == "tools/call" and sent is not None and not isinstance(sent.get("arguments", {}), dict):
        ctx = replace(ctx, params={**sent, "arguments": {}}, request=_Raw(sent["arguments"]))
    try:
        return await call_next(ctx)
    except (MCPError, ValidationError):  # an answer already
        raise
    except Exception as error:
        _log.exception("a request failed")
        words = escaped(f"the server failed: {error.__class__.__name__}: {error}")
        raise MCPError(mcp_types.INTERNAL_ERROR, words) from None


def _fault(words: str) -> MCPError:
    return MCPError(mcp_types.INVALID_PARAMS, escaped(words))


def _tool_result(result: SkillResult) -> mcp_types.CallToolResult:
    return mcp_types.CallToolResult(
        content=[mcp_types.TextContent(text=json_safe(result.output))],
        structured_content=json_safe(result.to_json()),
        is_error=result.kind in ("error", "not_found"),
    )


def _contents(content: Content) -> mcp_types.TextResourceContents | mcp_types.BlobResourceContents:
    uri, text = content.address.uri, content.text
    if text is not None:
        return mcp_types.TextResourceContents(uri=uri, mime_type=content.media_type, text=text)
    blob = base64.b64encode(content.data).decode("ascii")
    return mcp_types.BlobResourceContents(uri=uri, mime_type=content.media_type, blob=blob)


def permission_hook(store: DecisionStore, sources: Sequence[str]) -> PermissionHook:
    """Return who decides: the store, then the person at a running skillui, then denial."""
    from skillui.review.decisions import store_hook
    from skillui.serve.broker_client import asking_hook

    return store_hook(store, asking_hook("mcp"), "mcp", tuple(sources))


def serve(stdio: Stdio, config: SessionConfig, sources: Sequence[str], store_file: str, budget: int) -> None:
    """Serve one client until it is gone.

    `sources` are the skill roots as written, `budget` the characters of the catalog in the tool's description.
    Raises `KeyboardInterrupt` or `SystemExit` where a signal asks for the end.
    """
    store = DecisionStore(store_file)
    served = SkillServer(config, store, permission_hook(store, sources), budget=budget)
    number = asyncio.run(_run_until_told(served, stdio))
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    if number is not None:
        raise SystemExit(128 + number)


async def _run_until_told(served: SkillServer, stdio: Stdio) -> int | None:
    """Serve until the client is gone, or until a signal asks for the end, which is then returned.

    An exception out of a signal's handler would come out anywhere among the tasks.
    """
    task = asyncio.ensure_future(served.run(stdio))
    told: list[int] = []

    def end(number: int) -> None:
        told.append(number)
        task.cancel()

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):  # not on this system
                asyncio.get_running_loop().add_signal_handler(number, end, int(number))
    try:
        await task
    except asyncio.CancelledError:
        if not told:
            raise
    return told[0] if told else None
