"""What holds for every input: no crash, no hang, nothing lost, one meaning everywhere."""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections.abc import Callable
from typing import Any, TypeVar

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from yamlcore import CCoreLoader

from skillui.core import (
    AnyEntry,
    BrokenSkill,
    Catalog,
    ContentDigest,
    Error,
    FilesystemSkillRegistry,
    LoadedSkill,
    Ok,
    SessionConfig,
    SkillEntry,
    SkillSession,
    yaml_reader,
)
from skillui.core.digest import FileRecord, Keep
from skillui.core.params import ALIASES, InvalidParam, check_arguments, read_params
from skillui.core.reading import Argument
from skillui.core.resources import Resources
from skillui.core.schema import split_tools
from skillui.core.skill import ParsedSkill, parse_skill
from skillui.core.substitution import MAX_REPORTED, substitute
from skillui.core.text import attribute, clipped, escaped, has_surrogate, json_safe

EXAMPLES = settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])
FEW = settings(deadline=None, max_examples=100, suppress_health_check=list(HealthCheck))

ODD_TEXT = st.text(
    st.characters() | st.sampled_from("\0\r\n\t\x1b\x85\u2028\ufeff\ud800\udc80&*!%@`'\"#:-?|>[]{},~$\\")
)
FIELDS = """\
name description version license compatibility metadata allowed-tools argument-hint arguments
disable-model-invocation user-invocable hooks model 1 true ~ <<"""
VALUES_AS_WRITTEN = """\
foo;bar;1.10;012;0x1F;0o17;1e3;.nan;-.inf;true;no;~;null;'';"a\\nb";'it''s';2024-01-01;&a x;*a;!t x;[a, b];{a: b};
[a, [b]];[a;{a: ;'a;"a;a: b;a #c;# c;@a;`a;%a;- a;? a;Read, Bash(git log:*);Bash(;>-
  folded;|
  kept
  kept"""
KEYS = st.sampled_from(FIELDS.split())
SCALARS = st.sampled_from(VALUES_AS_WRITTEN.split(";")) | st.text(
    st.characters(blacklist_categories=["Cs"]), max_size=12
)
INDENTS = st.sampled_from(["", "", "", " ", "  ", "\t", "- ", "  - ", "? "])
YAML_LINES = st.builds("{}{}{}{}".format, INDENTS, KEYS, st.sampled_from([": ", ":", ":  ", ""]), SCALARS)
FENCES = st.sampled_from(
    ["---\n", "---\n", "---\n", "--- \t\r\n", "---\r\n", "--\n", " ---\n", "----\n", "\ufeff---\n", "..."]
)


@st.composite
def near_skills(draw: st.DrawFn) -> bytes:
    """Compose something close to a SKILL.md, right in most places."""
    ending = draw(st.sampled_from(["\n", "\n", "\r\n", "\r"]))
    lines = draw(st.lists(YAML_LINES, max_size=5))
    if draw(st.booleans()):
        lines = ["name: foo", "description: Does it.", *lines]
    inner = "".join(line + ending for line in lines)
    text = draw(FENCES) + inner + draw(FENCES) + draw(ODD_TEXT.filter(lambda text: not has_surrogate(text)))
    return text.encode() + draw(st.sampled_from([b"", b"", b"\xff"]))


SKILLS = near_skills() | st.binary(max_size=200) | st.binary(max_size=60).map(b"---\nname: foo\n".__add__)


Raised = TypeVar("Raised", bound=Exception)
Returned = TypeVar("Returned")


def attempt(
    kind: type[Raised], function: Callable[..., Returned], *arguments: Any
) -> tuple[Returned | None, Raised | None]:
    """Call and return what came back and what was raised, one of them None."""
    try:
        return function(*arguments), None
    except kind as error:
        return None, error


def parse(data: bytes) -> ParsedSkill:
    started = time.thread_time()
    parsed = parse_skill(data, "foo", "/skills/foo/SKILL.md")
    assert time.thread_time() - started < (1 if sys.gettrace() is None else 10)  # a tracer (coverage) slows it down
    return parsed


@EXAMPLES
@given(SKILLS)
def test_any_bytes_parse_and_nothing_is_lost(data: bytes) -> None:
    parsed = parse(data)
    assert parsed.valid == (not parsed.errors)
    assert parsed.body.encode() == b"" or data.endswith(parsed.body.encode()) or not parsed.valid
    lines = data.count(b"\n") + 1
    for problem in parsed.problems:
        assert problem.message == escaped(problem.message) != ""
        assert problem.line is None or 1 <= problem.line <= lines
        assert problem.column is None or problem.column >= 1
    assert {field.key for field in parsed.fields} >= set(parsed.frontmatter)
    json.dumps(json_safe(parsed.frontmatter), allow_nan=False).encode()


@EXAMPLES
@given(ODD_TEXT, st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", "\ufeff"]))
def test_the_body_is_recovered_byte_for_byte_from_the_output(body: str, ending: str, mark: str) -> None:
    body = body.encode("utf-8", "replace").decode()
    data = f"{mark}---{ending}name: foo{ending}description: d{ending}---{ending}{body}".encode()
    parsed = parse(data)
    assert parsed.body == body
    output = activated(parsed).output
    inner = output[output.index("<instructions>\n") + 15 : output.rindex("\n</instructions>\n</skill>\n(Skill ")]
    assert inner == body


class NoFiles:
    """The files of a skill that lies nowhere."""

    def resources(self) -> Resources:
        return Resources()

    def digest(self) -> ContentDigest:
        raise AssertionError("a preview has no digest")

    def records(self, keep: Keep | None = None) -> tuple[FileRecord, ...]:
        raise AssertionError("a preview has no digest")


def activated(parsed: ParsedSkill) -> Ok:
    entry = SkillEntry("foo", parsed.description, "/skills/foo", 0, parsed.frontmatter, arguments=parsed.arguments)
    session = SkillSession(SessionConfig(cwd="/"))
    result = session.preview(LoadedSkill(entry, parsed, NoFiles()), user_initiated=True)
    assert isinstance(result, Ok)
    return result


@FEW
@given(SKILLS)
def test_list_preview_and_activation_agree(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    base = tmp_path_factory.mktemp("case")
    (base / "skills/foo").mkdir(parents=True)
    (base / "skills/foo/SKILL.md").write_bytes(data)
    registry = FilesystemSkillRegistry([str(base / "skills")])
    catalog = registry.scan()
    entries: list[AnyEntry] = [*catalog.skills, *catalog.broken]
    entry = entries[0]
    now = registry.load_entry(entry)
    assert now is not None
    config = SessionConfig(cwd=str(base), skill_roots=("skills",), unsafe_allow_skill_without_hook=True)
    session = SkillSession(config)
    for user in (False, True):
        preview = session.preview(now, user_initiated=user)
        result = asyncio.run(SkillSession(config).skill({"name": "foo"}, user_initiated=user))
        compare(preview, result)
    assert isinstance(now, BrokenSkill) == (entry in catalog.broken)
    if isinstance(entry, BrokenSkill):
        assert isinstance(now, BrokenSkill)
        assert (now.code, now.message, now.meta) == (entry.code, entry.message, entry.meta)
    parsed = parse_skill(data, "foo", "x")
    assert parsed.valid != isinstance(entry, BrokenSkill)


def compare(preview: Any, result: Any) -> None:
    assert preview.kind == result.kind
    if isinstance(preview, Error):
        assert (preview.code, preview.message, preview.meta) == (result.code, result.message, result.meta)
    else:
        assert (preview.output, preview.body, preview.resources) == (result.output, result.body, result.resources)


TRICKY = ["yes", "1.10", "012", "0x1", "~", "", "a\n", "\n", " a\n b", "a\n\n", "- a", "#", "'", "---", "\ta\n", "<<"]
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(blacklist_categories=["Cs"]), max_size=20)
    | st.sampled_from(TRICKY),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc-\n: #é", max_size=8), inner, max_size=3),
    max_leaves=8,
)


@EXAMPLES
@given(st.dictionaries(st.text("abcdef-_ :#'\n", min_size=1, max_size=8), VALUES, max_size=5))
def test_a_dumped_frontmatter_reads_back_the_same(mapping: dict[str, Any]) -> None:
    text = yaml_reader.dump(mapping)
    assert (text == "") == (mapping == {})
    read = yaml.load(text, CCoreLoader) or {}
    assert read == mapping
    assert list(read) == list(mapping)


@EXAMPLES
@given(near_skills())
def test_what_is_returned_as_frontmatter_reads_back_the_same(data: bytes) -> None:
    parsed = parse(data)
    if parsed.valid:
        assert repr(yaml.load(yaml_reader.dump(parsed.frontmatter), CCoreLoader)) == repr(parsed.frontmatter)


@EXAMPLES
@given(st.lists(YAML_LINES, max_size=6).map("\n".join) | ODD_TEXT)
def test_what_compose_accepts_has_no_reference_and_means_what_the_loader_says(text: str) -> None:
    root, fault = attempt(yaml_reader.YamlFault, yaml_reader.compose, text)
    if fault is not None:
        assert 1 <= fault.line <= text.count("\n") + 2
        return
    events = list(yaml.parse(text, yaml.CBaseLoader))
    assert not any(isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) for event in events)
    assert not any(getattr(event, "tag", None) for event in events)
    assert repr(None if root is None else yaml_reader.value(root)) == repr(yaml.load(text, CCoreLoader))


PIECES = "$ARGUMENTS;$ARGUMENTS[0];$ARGUMENTS[1];$ARGUMENTS[;$ARGUMENTS_X;$1;$2;$10;$0;$;${a};${b};${a b};${;}"
BODIES = (
    st.lists(st.sampled_from([*PIECES.split(";"), "$a", "\\$1", "$$1", "\n", " ", "[0]", "x", "é"]), max_size=12).map(
        "".join
    )
    | ODD_TEXT
)
ARGUMENTS = st.none() | ODD_TEXT | st.dictionaries(st.sampled_from("abc"), BODIES, max_size=3)


@EXAMPLES
@given(BODIES)
def test_without_arguments_the_body_is_untouched(body: str) -> None:
    assert substitute(body, None, frozenset("a")).body is body
    assert substitute(body, {}, frozenset("a")).body is body


@EXAMPLES
@given(BODIES, ARGUMENTS)
def test_spans_and_literals_tell_exactly_what_happened(body: str, arguments: Any) -> None:
    done = substitute(body, arguments, frozenset("ab"))
    assert len(done.spans) <= MAX_REPORTED
    original, end = "", 0
    for span in done.spans:
        assert done.body[span.start : span.end] == span.value
        original += done.body[end : span.start] + span.placeholder
        end = span.end
    assert original + done.body[end:] == body
    for literal in done.literals:
        assert done.body.startswith(literal.text, literal.start)
        assert 1 <= literal.line <= body.count("\n") + 1
    if isinstance(arguments, dict):
        assert not any(re.fullmatch(r"\$\d+|\$ARGUMENTS\[.*", span.placeholder) for span in done.spans)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ODD_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ODD_TEXT, inner, max_size=3),
    max_leaves=6,
)
CALLS = st.dictionaries(
    st.sampled_from([*ALIASES, "name", "arguments"]) | ODD_TEXT | st.integers(), JSON | st.just("foo"), max_size=4
)


@EXAMPLES
@given(JSON | CALLS | st.builds(lambda rest: {"name": "foo", **rest}, CALLS))
def test_parameters_are_a_call_or_a_refusal_of_one_line(params: Any) -> None:
    call, fault = attempt(InvalidParam, read_params, params)
    if call is None:
        assert str(fault) == escaped(str(fault)) != ""
        return
    assert set(params) <= {"name", "arguments"}
    assert re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", call.name)
    for declared in (None, (), (Argument("a"), Argument("b", required=True))):
        _, fault = attempt(InvalidParam, check_arguments, "foo", call.arguments, declared)
        if fault is not None:
            assert str(fault) == escaped(str(fault)) != ""
            continue
        assert not isinstance(call.arguments, str) or not declared
        assert not isinstance(call.arguments, dict) or declared


@EXAMPLES
@given(JSON)
def test_what_is_made_safe_is_json_and_utf8(value: Any) -> None:
    json.dumps(json_safe(value), allow_nan=False, ensure_ascii=False).encode("utf-8")


@EXAMPLES
@given(ODD_TEXT, st.integers(1, 30))
def test_text_for_one_line_stays_one_line_and_within_its_limit(text: str, limit: int) -> None:
    assert len(escaped(text).splitlines()) <= 1
    escaped(text).encode()
    assert len(clipped(text, limit)) <= limit
    assert attribute(text).count('"') == 2
    assert "<" not in attribute(text)


@EXAMPLES
@given(st.text("ab ,()\t:*", max_size=20))
def test_tools_are_split_outside_parentheses_and_lose_nothing(text: str) -> None:
    tools = split_tools(text)
    assert all(tool.strip() == tool != "" for tool in tools)
    assert re.sub(r"[\s,]", "", "".join(tools)) == re.sub(r"[\s,]", "", text)
    assert split_tools(" , ".join(tools)) == tools or text.count("(") != text.count(")")


@FEW
@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.sampled_from(["a", "b"]), st.sampled_from(["a", "b", "-"])),
        unique_by=lambda t: t[:2],
    )
)
def test_every_skill_is_listed_shadowed_or_broken(
    tmp_path_factory: pytest.TempPathFactory, skills: list[tuple[int, str, str]]
) -> None:
    base = tmp_path_factory.mktemp("case")
    for root, folder, name in skills:
        (base / str(root) / folder).mkdir(parents=True)
        (base / str(root) / folder / "SKILL.md").write_text(f"---\nname: {name}\ndescription: d\n---\n")
    roots = [str(base / str(root)) for root in range(3)]
    registry = FilesystemSkillRegistry(roots)
    catalog = registry.scan()
    assert len(catalog.skills) + len(catalog.shadowed) + len(catalog.broken) == len(skills)
    for entry in catalog.skills:
        lowest = min(root for root, folder, name in skills if folder == name == entry.name)
        assert entry.root_index == lowest
    assert_same(registry.scan(), catalog)
    assert_same(registry.refresh([f"{root}/a" for root in roots]), catalog)
    assert_same(FilesystemSkillRegistry(roots).scan(), catalog)


def assert_same(one: Catalog, other: Catalog) -> None:
    assert one.to_json() == other.to_json()


def test_the_reader_is_bounded_for_what_grows_squarely() -> None:
    many = "".join(f"k{number}: 1\n" for number in range(5_000))
    names = ", ".join(f"a{number}" for number in range(8_000))
    for fields in (
        many,
        f"arguments: [{names}]\n",
        f"arguments: {'a ' * 30_000}\n",
        f"allowed-tools: {'a(' * 30_000}\n",
    ):
        parse(f"---\nname: foo\ndescription: d\n{fields}---\n".encode())
    parse(b"---\n" + b"-" * 4_000_000)
    parse(b"---\n" * 1_000_000)
    parse(b"x\n" + b"--- \n-" * 500_000)
    parse(b"---" + b" " * 4_000_000)
