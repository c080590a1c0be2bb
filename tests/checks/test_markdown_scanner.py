"""The Markdown scanner: what is code, comment, heading and link, where it stands, and that it is linear."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillui.checks.markdown import Document

TEXT = """\
# Top #
Some `code` and ``a ` b`` and `<!-- shown -->`. <!-- hidden
over lines --> [link](a/b.md "title") ![pic](<p.png>)
~~~python title="x"
`not` <!-- no --> [no](no.md)
~~~
> ```` sh
> ```
> inner
> ````
[ref]: c.md
<a href="d.html">x</a>
## Second
``` unclosed `ticks` is no fence
"""


def test_every_part_is_found_in_its_place() -> None:
    document = Document(TEXT, 10)
    assert [(fence.language, document.place(fence.opening)) for fence in document.fences] == [
        ("python", (13, 1)), ("sh", (16, 3)),
    ]  # fmt: skip
    assert document.content(document.fences[0]) == "`not` <!-- no --> [no](no.md)\n"
    assert [document.content(span) for span in document.code_spans] == ["code", "a ` b", "<!-- shown -->", "ticks"]
    assert [document.content(span) for span in document.comments] == ["<!-- hidden\nover lines -->"]
    assert [(link.target, link.text, document.place(link.start)[0]) for link in document.links] == [
        ("a/b.md", "link", 12), ("p.png", "pic", 12), ("c.md", "", 20), ("d.html", "", 21),
    ]  # fmt: skip
    assert [(heading.level, heading.text) for heading in document.headings] == [(1, "Top"), (2, "Second")]
    assert document.place(TEXT.index("over")) == (12, 1)
    assert document.line_at(TEXT.index("over")).startswith("over lines")


def test_code_and_comments_are_told_by_offset() -> None:
    document = Document(TEXT)
    assert document.in_code(TEXT.index("not"))
    assert document.in_code(TEXT.index("code"))
    assert not document.in_code(TEXT.index("hidden"))
    assert not document.in_code(TEXT.index("link"))


@pytest.mark.parametrize(
    "text", ["<!-- open", "```\nopen", "<!-- a\n```\nb -->\nc", "```\n<!--\n```\nc -->", "<!-- a\n--> ```\nb"]
)
def test_what_begins_first_holds_what_begins_inside_it(text: str) -> None:
    document = Document(text)
    assert len(document.fences) + len(document.comments) == 1


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("    a\n\n    b\n\nc\n", ["    a\n\n    b\n"]),
        ("# Head\n\ta\n", ["\ta\n"]),
        ("text\n    goes on\n", []),
        ("- one\n\n    its second paragraph\n\n      a\n", ["      a\n"]),
        ("1. one\n\n    - two\n\n          a\n\nc\n\n    b", ["          a\n", "    b"]),
        ("- - x\n\n      its own\n", []),
        ("    a\n```\nb\n```\n    c\n", ["    a\n", "    c\n"]),
        ("<!--\n\n    a\n-->\n", []),
    ],
)
def test_code_without_marks_is_told_by_its_indent(text: str, blocks: list[str]) -> None:
    document = Document(text)
    assert [document.content(block) for block in document.indented] == blocks


@given(st.text(alphabet="`~<!->[]() \n#\r>a:*1.", max_size=200))
def test_any_text_keeps_its_length_and_its_lines(text: str) -> None:
    document = Document(text)
    assert len(document.prose) == len(text)
    assert document.prose.count("\n") == text.count("\n")
    assert all(text[link.start : link.start + len(link.target)] == link.target for link in document.links)
    assert all(heading.start < len(text) for heading in document.headings)


@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "`",
        "` ",
        "``` \n",
        "<!-- ",
        " ",
        "](a",
        "`a``b```c",
        "> ",
        "<!--`\n",
        "# ",
        "[a]: ",
        "href=",
        "- ",
        "    a\n\n",
        "- a\n\n    b\n",
    ],
)
def test_hostile_text_costs_no_more_than_its_length(piece: str) -> None:
    def seconds(size: int) -> float:
        document = Document((piece * size)[:size])
        start = time.process_time()
        assert len(document.prose) == size
        assert document.links is not None
        assert document.headings is not None
        assert document.indented is not None
        return time.process_time() - start

    small, large = max(seconds(50_000), 0.02), min(seconds(400_000) for _ in range(3))
    assert large < 40 * small  # eight times the text; a square would be 64 times the time
